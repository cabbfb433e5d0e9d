// A report on its way: its photos, as many at a time as the line bears, then both signatures, then the report itself under the key of its form.
// Whatever went through is remembered, so that trying again repeats nothing and files once.
import { ApiError } from '#shared/client.ts';
import type { Upload } from '#shared/uploads.ts';
import { callApiWithRetry, isTransientError } from '../client/api.ts';
import { newUuid } from '../newUuid.ts';
import { asTheLineBears, uploadImage } from '../photos/uploadImage.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import type { ReportDraft, ReportPayload, SignatureFile, Uploads } from './reportDraft.ts';
import { messages, type Variant } from './variants.ts';

export type Outcome =
  | { isFiled: true; number: string; leftOut: string[] }
  | { isFiled: false; text: string; hint: string; errors: FieldErrors };

type Sending = {
  /** How many photos have gone. */
  onProgress: (gone: number) => void;
  /** What is to be kept with the draft from now on. */
  saveDraft: (changes: Partial<Pick<ReportDraft, 'key' | 'sent' | 'uploads'>>) => void;
};

type Failure = { text: string; hint: string };

/** Never rejects for what the server or the network says: that is in the outcome. */
export async function submitReport(variant: Variant, draft: ReportDraft, sending: Sending): Promise<Outcome> {
  let uploads = draft.uploads;
  let { sent } = draft;
  let leftOut: string[] = [];
  const keepUpload = (id: string, upload: Uploads[string]) => {
    uploads = { ...uploads, [id]: upload };
    sending.saveDraft({ uploads });
  };

  for (let isFirst = true; ; isFirst = false) {
    if (!sent) {
      const prepared = await uploadAll(draft, { uploads: () => uploads, keepUpload, onProgress: sending.onProgress });
      if ('text' in prepared) return failed(prepared);
      ({ leftOut, payload: sent } = prepared);
    }
    sending.saveDraft({ sent });
    try {
      const { number } = await callApiWithRetry(variant.row, { body: sent, key: draft.key });
      return { isFiled: true, number, leftOut };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isTransientError(error)) return failed({ text: variant.notFiled(reasonOf(error)), hint: mayHaveArrived });
      // It was not filed: it may be changed again.
      sent = undefined;
      sending.saveDraft({ sent });
      if (error.code === 'KEY_REUSED') {
        sending.saveDraft({ key: newUuid() });
        return failed({
          text: variant.notFiled(reasonOf(error)),
          hint: 'Submit again only if this is another report.',
        });
      }
      // Uploads are swept after some days: these are no longer there, and are made again.
      if (error.code === 'FILE_USED' && isFirst) uploads = {};
      else return failed({ text: variant.notFiled(reasonOf(error)), hint: kept }, error.fields);
    }
  }
}

const kept = 'Everything you entered is still here.';
const unreachable = 'The server could not be reached.';
const mayHaveArrived =
  'Your report may already have arrived. It is kept here unchanged: submit it again when the connection is better. It is filed only once.';

const failed = ({ text, hint }: Failure, errors: FieldErrors = {}): Outcome => ({ isFiled: false, text, hint, errors });

type Store = {
  uploads: () => Uploads;
  keepUpload: (id: string, upload: Uploads[string]) => void;
  onProgress: Sending['onProgress'];
};

async function uploadAll(
  draft: ReportDraft,
  store: Store,
): Promise<Failure | { payload: ReportPayload; leftOut: string[] }> {
  const { uploaded, leftOut, uploadError } = await uploadPhotosOf(draft, store);
  if (uploadError || uploaded.length === 0) return { text: messages.filesFailed, hint: hintOf('image', uploadError) };

  const signature = await uploadSignature(draft.signature, store);
  if ('uploadError' in signature)
    return { text: messages.signatureFailed, hint: hintOf('signature', signature.uploadError) };
  const affected = await uploadSignature(draft.affectedUserSignature, store);
  if ('uploadError' in affected)
    return { text: messages.affectedSignatureFailed, hint: hintOf('signature', affected.uploadError) };

  const payload = {
    ...draft.values,
    mediaFiles: uploaded.map(({ filePath, fileName, fileSize, fileType }) => ({
      path: filePath,
      name: fileName,
      size: fileSize,
      type: fileType,
      storageType: 'server' as const,
    })),
    signature: { path: signature.filePath, storageType: 'server' as const },
    affectedUserSignature: { path: affected.filePath, storageType: 'server' as const },
    ...(draft.affectedUserSignature?.signedBy && { affectedUserSignedBy: draft.affectedUserSignature.signedBy }),
    // The lists of choices were checked before it came here.
  } as ReportPayload;
  return { payload, leftOut };
}

/** A photo that the server refuses is left out; a fault of the network or of the server stops them all. */
async function uploadPhotosOf({ photos }: ReportDraft, store: Store) {
  const replies: Record<string, Upload> = {};
  const refused: { name: string; error: unknown }[] = [];
  let uploadError: unknown;
  const missing = photos.filter(({ id }) => {
    const { reply } = store.uploads()[id] ?? {};
    if (reply) replies[id] = reply;
    return !reply;
  });
  let gone = photos.length - missing.length;
  store.onProgress(gone);

  await asTheLineBears(missing, async (photo) => {
    if (uploadError) return;
    try {
      replies[photo.id] = await upload(photo.id, photo.file, 'photo', store);
    } catch (error) {
      if (isRefused(error)) refused.push({ name: photo.name, error });
      else uploadError ??= error;
    }
    gone += 1;
    store.onProgress(gone);
  });
  const uploaded = photos.flatMap(({ id }) => replies[id] ?? []);
  if (uploaded.length === 0) uploadError ??= refused[0]?.error;
  return { uploaded, leftOut: refused.map(({ name }) => name), uploadError };
}

async function uploadSignature(
  signature: SignatureFile | null,
  store: Store,
): Promise<Upload | { uploadError: unknown }> {
  try {
    if (!signature) throw new Error(unreachable);
    return await upload(signature.png.name, signature.png, 'signature', store);
  } catch (uploadError) {
    return { uploadError };
  }
}

async function upload(id: string, file: File, use: 'photo' | 'signature', store: Store): Promise<Upload> {
  const { key, reply } = store.uploads()[id] ?? { key: newUuid() };
  if (reply) return reply;
  store.keepUpload(id, { key });
  try {
    const reply = await uploadImage(file, use, key);
    store.keepUpload(id, { key, reply });
    return reply;
  } catch (error) {
    // The key has been forgotten since: the next try needs another one.
    if (error instanceof ApiError && error.code === 'KEY_REUSED') store.keepUpload(id, { key: newUuid() });
    throw error;
  }
}

/** Whether it is about this file, and not about the connection, the session, the quota or a full disk. */
const isRefused = (error: unknown) =>
  error instanceof ApiError &&
  !isTransientError(error) &&
  error.code !== 'KEY_REUSED' &&
  ![401, 403, 408, 429, 507].includes(error.status);

/** Why an upload failed, in the server's words where it has any. */
function hintOf(what: 'image' | 'signature', error: unknown): string {
  if (!(error instanceof ApiError)) return kept;
  if (error.status === 0) return `${unreachable} ${kept}`;
  const reason = error.message || `Error uploading ${what}: ${error.status} ${error.text.slice(0, 100)}`.trim();
  return `${reason} ${kept}`;
}

/** Our own errors have a message for people; of any other answer, its text or its status. */
const reasonOf = (error: ApiError) =>
  error.message || error.text || (error.status === 0 ? unreachable : String(error.status));
