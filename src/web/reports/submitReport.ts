// A report on its way: its photos, as many at a time as the line bears, then both signatures, then the report itself under the key of its form.
// Whatever went through is remembered, so that trying again repeats nothing and files once.
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
  /** How many photos have gone. */
  onProgress: (uploadedCount: number) => void;
  /** What is to be kept with the draft from now on. */
  saveDraft: (changes: Partial<Pick<ReportDraft, 'key' | 'sent' | 'uploads'>>) => void;
};

type Failure = { text: string; hint: string };

/** Never rejects for what the server or the network says: that is in the outcome. */
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
      // It was not filed: it may be changed again.
      sent = undefined;
      sending.saveDraft({ sent });
      if (error.code === 'KEY_REUSED') {
        sending.saveDraft({ key: newUuid() });
        return createFailure({
          text: variant.formatFailure(getReason(error)),
          hint: 'Submit again only if this is another report.',
        });
      }
      // Uploads are swept after some days: these are no longer there, and are made again.
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
    // The lists of choices were checked before it came here.
  } as ReportPayload;
  return { payload, rejectedPhotos };
}

/** A photo that the server refuses is left out; a fault of the network or of the server stops them all. */
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
    // The key has been forgotten since: the next try needs another one.
    if (error instanceof ApiError && error.code === 'KEY_REUSED') store.saveUpload(id, { key: newUuid() });
    throw error;
  }
}

/** Whether it is about this file, and not about the connection, the session, the quota or a full disk. */
const isPhotoRejected = (error: unknown) =>
  error instanceof ApiError &&
  !isTransientError(error) &&
  error.code !== 'KEY_REUSED' &&
  ![401, 403, 408, 429, 507].includes(error.status);

/** Why an upload failed, in the server's words where it has any. */
function createHint(what: 'image' | 'signature', error: unknown): string {
  if (!(error instanceof ApiError)) return keptMessage;
  if (error.status === 0) return `${unreachableMessage} ${keptMessage}`;
  const reason = error.message || `Error uploading ${what}: ${error.status} ${error.text.slice(0, 100)}`.trim();
  return joinSentences(reason, keptMessage);
}

/** Our own errors have a message for people; of any other answer, its text or its status. */
const getReason = (error: ApiError) =>
  error.message || error.text || (error.status === 0 ? unreachableMessage : String(error.status));
