// Submits a report: photos, both signatures, then the report with its key. Each finished step is
// saved, so that a retry repeats nothing.
import { ApiError } from '#shared/client.ts';
import type { Upload } from '#shared/uploads.ts';
import { callApiWithRetry, isTransientError } from '../client/api.ts';
import { newUuid } from '../newUuid.ts';
import { uploadImage, uploadWithAdaptiveConcurrency } from '../photos/uploadImage.ts';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import type { ReportDraft, ReportPayload, SignatureFile, Uploads } from './reportDraft.ts';
import { messages, type Variant } from './variants.ts';

export type Outcome =
  | { isSubmitted: true; number: string; rejectedPhotos: string[] }
  | { isSubmitted: false; text: string; hint: string; errors: FieldErrors };

type SubmitOptions = {
  /** Called with the number of uploaded photos. */
  onProgress: (uploadedCount: number) => void;
  /** Saves changes in the draft. */
  saveDraft: (changes: Partial<Pick<ReportDraft, 'key' | 'sent' | 'uploads'>>) => void;
};

type Failure = { text: string; hint: string };

/** Never rejects for server or network errors: they are in the outcome. */
export async function submitReport(variant: Variant, draft: ReportDraft, sending: SubmitOptions): Promise<Outcome> {
  let uploads = draft.uploads;
  let { sent } = draft;
  let rejectedPhotos: string[] = [];
  const saveUpload = (id: string, upload: Uploads[string]) => {
    uploads = { ...uploads, [id]: upload };
    sending.saveDraft({ uploads });
  };

  for (let isFirst = true; ; isFirst = false) {
    if (!sent) {
      const prepared = await uploadFiles(draft, { uploads: () => uploads, saveUpload, onProgress: sending.onProgress });
      if ('text' in prepared) return createFailure(prepared);
      ({ rejectedPhotos, payload: sent } = prepared);
    }
    sending.saveDraft({ sent });
    try {
      const { number } = await callApiWithRetry(variant.endpoint, { body: sent, key: draft.key });
      return { isSubmitted: true, number, rejectedPhotos };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isTransientError(error))
        return createFailure({ text: variant.formatFailure(getReason(error)), hint: unconfirmedMessage });
      // It was not submitted, so it may be changed again.
      sent = undefined;
      sending.saveDraft({ sent });
      if (error.code === 'KEY_REUSED') {
        sending.saveDraft({ key: newUuid() });
        return createFailure({
          text: variant.formatFailure(getReason(error)),
          hint: 'Submit again only if this is another report.',
        });
      }
      // Unattached uploads are deleted after some days: upload them again.
      if (error.code === 'FILE_USED' && isFirst) uploads = {};
      else return createFailure({ text: variant.formatFailure(getReason(error)), hint: keptMessage }, error.fields);
    }
  }
}

const keptMessage = 'Everything you entered is still here.';
const unreachableMessage = 'The server could not be reached.';
const unconfirmedMessage =
  'Your report may already have been submitted. Submit it again when your connection improves. It will not be recorded twice.';

const createFailure = ({ text, hint }: Failure, errors: FieldErrors = {}): Outcome => ({
  isSubmitted: false,
  text,
  hint,
  errors,
});

type UploadContext = {
  uploads: () => Uploads;
  saveUpload: (id: string, upload: Uploads[string]) => void;
  onProgress: SubmitOptions['onProgress'];
};

async function uploadFiles(
  draft: ReportDraft,
  store: UploadContext,
): Promise<Failure | { payload: ReportPayload; rejectedPhotos: string[] }> {
  const { uploaded, rejectedPhotos, uploadError } = await uploadPhotos(draft, store);
  if (uploadError || uploaded.length === 0)
    return { text: messages.filesFailed, hint: createHint('image', uploadError) };

  const signature = await uploadSignature(draft.signature, store);
  if ('uploadError' in signature)
    return { text: messages.signatureFailed, hint: createHint('signature', signature.uploadError) };
  const affected = await uploadSignature(draft.affectedUserSignature, store);
  if ('uploadError' in affected)
    return { text: messages.affectedSignatureFailed, hint: createHint('signature', affected.uploadError) };

  const payload = {
    ...draft.values,
    age: Number(draft.values.age),
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
    // Choices were validated before.
  } as ReportPayload;
  return { payload, rejectedPhotos };
}

/** A rejected photo is left out; a network or server error stops all uploads. */
async function uploadPhotos({ photos }: ReportDraft, store: UploadContext) {
  const replies: Record<string, Upload> = {};
  const refused: { name: string; error: unknown }[] = [];
  let uploadError: unknown;
  const missing = photos.filter(({ id }) => {
    const { reply } = store.uploads()[id] ?? {};
    if (reply) replies[id] = reply;
    return !reply;
  });
  let uploadedCount = photos.length - missing.length;
  store.onProgress(uploadedCount);

  await uploadWithAdaptiveConcurrency(missing, async (photo) => {
    if (uploadError) return;
    try {
      replies[photo.id] = await upload(photo.id, photo.file, 'photo', store);
    } catch (error) {
      if (isPhotoRejected(error)) refused.push({ name: photo.name, error });
      else uploadError ??= error;
    }
    uploadedCount += 1;
    store.onProgress(uploadedCount);
  });
  const uploaded = photos.flatMap(({ id }) => replies[id] ?? []);
  if (uploaded.length === 0) uploadError ??= refused[0]?.error;
  return { uploaded, rejectedPhotos: refused.map(({ name }) => name), uploadError };
}

async function uploadSignature(
  signature: SignatureFile | null,
  store: UploadContext,
): Promise<Upload | { uploadError: unknown }> {
  try {
    if (!signature) throw new Error(unreachableMessage);
    return await upload(signature.png.name, signature.png, 'signature', store);
  } catch (uploadError) {
    return { uploadError };
  }
}

async function upload(id: string, file: File, use: 'photo' | 'signature', store: UploadContext): Promise<Upload> {
  const { key, reply } = store.uploads()[id] ?? { key: newUuid() };
  if (reply) return reply;
  store.saveUpload(id, { key });
  try {
    const reply = await uploadImage(file, use, key);
    store.saveUpload(id, { key, reply });
    return reply;
  } catch (error) {
    // The stored reply is gone: the next attempt needs a new key.
    if (error instanceof ApiError && error.code === 'KEY_REUSED') store.saveUpload(id, { key: newUuid() });
    throw error;
  }
}

/** Whether the error is about this file, not the connection, session, quota or disk. */
const isPhotoRejected = (error: unknown) =>
  error instanceof ApiError &&
  !isTransientError(error) &&
  error.code !== 'KEY_REUSED' &&
  ![401, 403, 408, 429, 507].includes(error.status);

/** Explains a failed upload, with the server's message if any. */
function createHint(what: 'image' | 'signature', error: unknown): string {
  if (!(error instanceof ApiError)) return keptMessage;
  if (error.status === 0) return `${unreachableMessage} ${keptMessage}`;
  const reason = error.message || `Error uploading ${what}: ${error.status} ${error.text.slice(0, 100)}`.trim();
  return joinSentences(reason, keptMessage);
}

/** Returns our own message, or the text or status of any other response. */
const getReason = (error: ApiError) =>
  error.message || error.text || (error.status === 0 ? unreachableMessage : String(error.status));
