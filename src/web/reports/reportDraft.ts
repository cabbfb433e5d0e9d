// The draft of a report, and the outbox item it becomes when submitted.
import { getToday } from '#shared/dates.ts';
import { mapReportFields } from '#shared/reports/report-fields.ts';
import type { SignedBy } from '#shared/reports/signed-by.ts';
import type { SessionUser } from '#shared/users.ts';
import { findLastReporter } from '../client/lastReporter.ts';
import { copyCachedBytes } from '../drafts/storedBlobs.ts';
import { type FileSlot, type NewFile, type NewItem, type OutboxItem, readFile } from '../outbox/items.ts';
import { readPhotos } from '../outbox/readPhotos.ts';
import { findPlaceId } from '../parks/findPlaceId.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { Signature } from '../signature/png.ts';
import type { Variant } from './variants.ts';

const emptyValues = mapReportFields(() => '');
export type ReportValues = typeof emptyValues;

type SignatureFile = Signature & { png: File };

export type ReportDraft = {
  values: ReportValues;
  /** The id of the item that it becomes in the outbox: the same draft sent twice is one report. */
  key?: string | undefined;
  /** The date that the form filled in, until the user changes it. */
  givenDate?: string | undefined;
  /** The id of the guest's message that the report closes. */
  message?: string | undefined;
  photos: PreparedPhoto[];
  signature: SignatureFile | null;
  affectedUserSignature: SignatureFile | null;
};

/** Returns a draft with known values; the time is empty, because users would not correct a default. */
export const createReportDraft = (
  { id, park }: Pick<SessionUser, 'id' | 'park'>,
  givenDate = getToday(),
): ReportDraft => ({
  values: { ...emptyValues, selectedPlace: park, reporter: findLastReporter(id), date: givenDate },
  givenDate,
  photos: [],
  signature: null,
  affectedUserSignature: null,
});

/** Returns a stored draft. What it lacks, such as a field added since, is as in a new draft. */
export function completeReportDraft(user: Pick<SessionUser, 'id' | 'park'>, stored: Partial<ReportDraft> = {}) {
  const empty = createReportDraft(user);
  return { ...empty, ...stored, values: { ...empty.values, ...stored.values } };
}

/** Returns a signature as a file to upload, named with the time of signing. */
export function createSignatureFile(whose: string, signature: Signature | null): SignatureFile | null {
  if (!signature) return null;
  const png = new File([signature.png], `${whose}-${Date.now()}.png`, { type: 'image/png' });
  copyCachedBytes(signature.png, png);
  return { ...signature, png };
}

const titleLength = 80;

/** Converts a checked draft to the outbox item with this id. */
export function createReportSubmission(
  variant: Variant,
  { values, photos, signature, affectedUserSignature, message }: ReportDraft,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  id: string,
): NewItem {
  const toSignature = (slot: FileSlot, signature: SignatureFile | null): NewFile[] =>
    signature ? [{ id: signature.png.name, slot, file: signature.png }] : [];
  const signedBy = affectedUserSignature?.signedBy;
  return {
    id,
    userId,
    username,
    kind: variant.reportType,
    form: variant.id,
    address: variant.url,
    title: `${values.type}: ${values.details}`.replace(/\s+/g, ' ').slice(0, titleLength),
    park: values.selectedPlace,
    body: {
      ...values,
      age: Number(values.age),
      ...(signedBy && { affectedUserSignedBy: signedBy }),
      ...findPlaceId(values.selectedPlace, values.location),
      ...(message && { messageId: message }),
    },
    files: [
      ...photos.map(({ id, file }) => ({ id, slot: 'photo' as const, file })),
      ...toSignature('signature', signature),
      ...toSignature('affectedUserSignature', affectedUserSignature),
    ],
  };
}

/** Returns the submitted report as its form holds it. */
export async function readReportSubmission(item: OutboxItem): Promise<ReportDraft> {
  const readSignature = async (slot: FileSlot, signedBy?: SignedBy): Promise<SignatureFile | null> => {
    const info = item.files.find((file) => file.slot === slot);
    const png = info && (await readFile(item.id, info));
    return png ? { png, ...(signedBy && { signedBy }) } : null;
  };
  return {
    values: mapReportFields((_, name) => String(item.body[name] ?? '')),
    message: item.body.messageId as string | undefined,
    photos: await readPhotos(item),
    signature: await readSignature('signature'),
    affectedUserSignature: await readSignature(
      'affectedUserSignature',
      item.body.affectedUserSignedBy as SignedBy | undefined,
    ),
  };
}
