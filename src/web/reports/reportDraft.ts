// A report that is being filled in, as it is on the screen and as it survives a reload; and the item it becomes when submitted.
import { getToday } from '#shared/dates.ts';
import type { SignedBy } from '#shared/signed-by.ts';
import type { Upload } from '#shared/uploads.ts';
import type { SessionUser } from '#shared/users.ts';
import { findLastReporter } from '../client/lastReporter.ts';
import { copyKnownBytes } from '../drafts/storedBlobs.ts';
import { newUuid } from '../newUuid.ts';
import { type NewFile, type OutboxItem, readFile } from '../outbox/items.ts';
import type { NewSubmission } from '../outbox/outbox.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { Signature } from '../signature/png.ts';
import type { Variant } from './variants.ts';

const emptyValues = {
  selectedPlace: '',
  name: '',
  age: '',
  contactNumber: '',
  reporter: '',
  date: '',
  time: '',
  type: '',
  location: '',
  employmentStatus: '',
  emergencyService: '',
  details: '',
};
export type ReportValues = typeof emptyValues;
export type FieldName = keyof ReportValues;

/** The first version stored these besides, and what it had sent without knowing whether it arrived. */
type OfFirstVersion = { key?: string; sent?: unknown };

export type DraftFields = OfFirstVersion & { values: ReportValues };

export type SignatureFile = Signature & { png: File };

export type DraftMedia = {
  photos: PreparedPhoto[];
  signature: SignatureFile | null;
  affectedUserSignature: SignatureFile | null;
  /** Of the first version: uploads by the photo's id or the signature's file name. */
  uploads?: Record<string, { key: string; reply?: Upload }>;
};

export type ReportDraft = DraftFields & DraftMedia;

/** With what is known before anything is typed. The time stays empty: one that is filled in would be left wrong. */
export const createReportDraft = ({ id, park }: Pick<SessionUser, 'id' | 'park'>): ReportDraft => ({
  values: { ...emptyValues, selectedPlace: park, reporter: findLastReporter(id), date: getToday() },
  photos: [],
  signature: null,
  affectedUserSignature: null,
});

/** A signature as the file it is uploaded as, named with the time of signing. */
export function createSignatureFile(whose: string, signature: Signature | null): SignatureFile | null {
  if (!signature) return null;
  const png = new File([signature.png], `${whose}-${Date.now()}.png`, { type: 'image/png' });
  copyKnownBytes(signature.png, png);
  return { ...signature, png };
}

const titleLength = 80;

/** The draft as it is stored to be sent. It was checked before. */
export function createSubmission(
  variant: Variant,
  { values, photos, signature, affectedUserSignature, key, uploads = {} }: ReportDraft,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  replaces?: string,
): NewSubmission {
  const toFile = (id: string, slot: NewFile['slot'], file: File): NewFile => {
    const { key, reply } = uploads[id] ?? {};
    const upload = reply && { path: reply.filePath, name: reply.fileName, type: reply.fileType, size: reply.fileSize };
    return { id, slot, file, ...(key && { key }), ...(upload && { upload }) };
  };
  const signedBy = affectedUserSignature?.signedBy;
  return {
    // Another content has another key.
    id: replaces ? newUuid() : (key ?? newUuid()),
    userId,
    username,
    kind: variant.reportType,
    form: variant.id,
    address: variant.address,
    title: `${values.type}: ${values.details}`.replace(/\s+/g, ' ').slice(0, titleLength),
    park: values.selectedPlace,
    body: { ...values, age: Number(values.age), ...(signedBy && { affectedUserSignedBy: signedBy }) },
    files: [
      ...photos.map(({ id, file }) => toFile(id, 'photo', file)),
      ...(signature ? [toFile(signature.png.name, 'signature', signature.png)] : []),
      ...(affectedUserSignature
        ? [toFile(affectedUserSignature.png.name, 'affectedUserSignature', affectedUserSignature.png)]
        : []),
    ],
  };
}

/** What was submitted, as the form shows it. */
export async function readSubmission(item: OutboxItem): Promise<ReportDraft> {
  const files = await Promise.all(item.files.map(async (info) => ({ info, file: await readFile(item.id, info) })));
  const find = (slot: NewFile['slot']) => files.filter(({ info, file }) => info.slot === slot && file);
  const toSignature = (slot: NewFile['slot'], signedBy?: SignedBy): SignatureFile | null => {
    const { file } = find(slot)[0] ?? {};
    return file ? { png: file, ...(signedBy && { signedBy }) } : null;
  };
  const values = Object.fromEntries(Object.keys(emptyValues).map((name) => [name, String(item.body[name] ?? '')]));
  return {
    values: values as ReportValues,
    photos: find('photo').flatMap(({ info, file }) =>
      file ? [{ id: info.id, name: info.name, file, width: 0, height: 0 }] : [],
    ),
    signature: toSignature('signature'),
    affectedUserSignature: toSignature('affectedUserSignature', item.body.affectedUserSignedBy as SignedBy | undefined),
  };
}
