// The request for each kind of item, and what its response must confirm.
import { api } from '#shared/api.ts';
import type { Audit, Told } from '#shared/audits.ts';
import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint } from '#shared/contract.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { doneSection, type FileSlot, type OutboxFile, type OutboxItem, type Receipt } from './items.ts';

type Request = { endpoint: ClientEndpoint; input: EndpointInput<ClientEndpoint> };

const listUploadedFiles = ({ files }: OutboxItem, slot: FileSlot) =>
  files.filter((file) => file.slot === slot && file.upload);

function toMediaFile({ upload, sha256 }: OutboxFile): MediaFile {
  const { path = '', name = '', type, size } = upload ?? {};
  return { path, name, type, size, storageType: 'server', sha256 };
}

const isOfNote = ({ section }: OutboxFile) => section === doneSection;
const getMedia = (item: OutboxItem) =>
  listUploadedFiles(item, 'photo')
    .filter((file) => !isOfNote(file))
    .map(toMediaFile);

function getSignature(item: OutboxItem, slot: FileSlot) {
  const [file] = listUploadedFiles(item, slot);
  return { path: file?.upload?.path ?? '', storageType: 'server', sha256: file?.sha256 };
}

const createReport = (endpoint: ClientEndpoint) => (item: OutboxItem) => ({
  endpoint,
  body: {
    ...item.body,
    mediaFiles: getMedia(item),
    signature: getSignature(item, 'signature'),
    affectedUserSignature: getSignature(item, 'affectedUserSignature'),
  },
});

type SentNotes = Record<string, { note: string; mediaFiles: object[] }>;

/** Notes on failing and other answers, with the uploaded photos. */
function getNotes(item: OutboxItem): { failures?: SentNotes; notes?: SentNotes } {
  const { failures, notes } = item.body as { failures?: SentNotes; notes?: SentNotes };
  const photos = listUploadedFiles(item, 'photo');
  const withPhotos = (sent: SentNotes): SentNotes =>
    Object.fromEntries(
      Object.entries(sent).map(([section, note]) => [
        section,
        { ...note, mediaFiles: photos.filter((photo) => photo.section === section).map(toMediaFile) },
      ]),
    );
  return { ...(failures && { failures: withPhotos(failures) }), ...(notes && { notes: withPhotos(notes) }) };
}

type Completion = { data?: { media_files?: MediaFile[]; done?: { text: string } } };

const createAudit = (item: OutboxItem) => ({
  endpoint: api.createAudit,
  body: { ...item.body, media_files: getMedia(item) },
});

const requests: Record<OutboxItem['kind'], (item: OutboxItem) => { endpoint: ClientEndpoint; body: object }> = {
  accident: createReport(api.submitAccident),
  incident: createReport(api.submitIncident),
  checklist: (item) => ({ endpoint: api.submitChecklist, body: { ...item.body, ...getNotes(item) } }),
  audit: createAudit,
  hazard: createAudit,
  completion: (item) => {
    const { data = {} } = item.body as Completion;
    const newPhotos = getMedia(item);
    const media_files = newPhotos.length > 0 ? [...(data.media_files ?? []), ...newPhotos] : undefined;
    const { media_files: _, done: note, ...others } = data;
    const done = note && { ...note, media_files: listUploadedFiles(item, 'photo').filter(isOfNote).map(toMediaFile) };
    return {
      endpoint: api.updateAudit,
      body: {
        ...item.body,
        data: { ...others, completed: true, ...(media_files && { media_files }), ...(done && { done }) },
      },
    };
  },
};

/** Who sends an item's requests: its user, or the shared device on which it was submitted. */
export const getSender = ({ userId, fromDevice, capturedAt }: OutboxItem) =>
  fromDevice === undefined ? { userId } : { fromDevice: { userId, madeAt: capturedAt } };

/** Returns the same body for each attempt, as long as the item's uploads are the same. */
export function createRequest(item: OutboxItem): Request {
  const { endpoint, body } = requests[item.kind](item);
  return {
    endpoint,
    input: {
      ...(item.recordId && { params: { id: item.recordId } }),
      body: { ...body, capturedAt: item.capturedAt },
      key: item.id,
      ...getSender(item),
      ...(item.submittedFor && { submittedFor: item.submittedFor }),
    } as EndpointInput<ClientEndpoint>,
  };
}

/** What a completion sends that is no field of the audit. What was done and the answer to a lesson are stored as notes. */
const notCompared = ['version', 'placeId', 'data', 'completed', 'media_files', 'answer', 'answer_note', 'done'];

/**
 * Whether a completed audit has this item's values: its first attempt succeeded, but the response
 * was lost.
 */
export function isOwnCompletion(item: OutboxItem, { title, date, time, data }: Audit): boolean {
  const sent: Record<string, unknown> = { ...item.body, ...Object(item.body.data) };
  const current: Record<string, unknown> = { ...data, title, date, time };
  return (
    data.completed_by === item.username &&
    Object.entries(sent).every(([name, value]) => notCompared.includes(name) || current[name] === value) &&
    getMedia(item).every(({ path }) => data.media_files.some((file) => file.path === path))
  );
}

type Reply = { number?: string; photos?: number; signatures?: number; told?: Told[] } & Partial<Audit>;

/** Returns fields of the receipt from a response; undefined if the response does not confirm everything. */
export function readReply(
  item: OutboxItem,
  response: unknown,
): Pick<Receipt, 'number' | 'submissionId' | 'auditId' | 'told' | 'photos' | 'signatures'> | undefined {
  const reply = Object(response) as Reply;
  const sentPhotos = listUploadedFiles(item, 'photo');
  const signatures = item.files.filter(({ slot, upload }) => slot !== 'photo' && upload).length;
  if (item.kind === 'completion' && item.fromDevice !== undefined) {
    // A shared device does not see the audit; the server has attached all photos, or none.
    return reply.id === item.recordId ? { photos: sentPhotos.length, signatures } : undefined;
  }
  if (item.kind === 'completion') {
    const stored = reply.data?.media_files ?? [];
    // The server attaches the photos of the note in the same write, or rejects the completion.
    if (!getMedia(item).every(({ path }) => stored.some((file) => file.path === path))) return undefined;
    return { photos: sentPhotos.length, signatures };
  }
  // Replies stored before counts were added have none.
  if (reply.photos !== undefined && reply.photos !== sentPhotos.length) return undefined;
  // A checklist's signatures are among its answers.
  if (
    item.kind !== 'checklist' &&
    item.files.length > 0 &&
    reply.signatures !== undefined &&
    reply.signatures !== signatures
  )
    return undefined;
  return {
    ...(reply.number && { number: reply.number }),
    ...(item.kind === 'checklist' && reply.id && { submissionId: reply.id }),
    ...((item.kind === 'audit' || item.kind === 'hazard') && reply.id && { auditId: reply.id }),
    ...(reply.told && { told: reply.told }),
    photos: sentPhotos.length,
    signatures: item.kind === 'checklist' ? (reply.signatures ?? 0) : signatures,
  };
}
