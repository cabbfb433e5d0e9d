// Sends one item: its files, then its request. Stores every completed step, so that the next
// attempt does not repeat it.
import { api } from '#shared/api.ts';
import { type Audit, getCompletedBy } from '#shared/audits.ts';
import { ApiError, type EndpointInput, sendRequest } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import { describeUploadError, isSignedOut, isTooSlow, isTransientError } from '../client/errors.ts';
import { newUuid } from '../newUuid.ts';
import { getUploadTimeoutMs, uploadPaced } from '../photos/uploadPacing.ts';
import { assertUploadPath, createUnconfirmedError } from '../photos/uploadPath.ts';
import {
  countAnswers,
  type FileSlot,
  type OutboxFile,
  type OutboxItem,
  type Receipt,
  readFile,
  type SendError,
  updateItem,
  withChanges,
} from './items.ts';
import { createRequest, getSender, isOwnCompletion, readReply } from './requests.ts';

export type SendOutcome =
  | { kind: 'sent'; receipt: Receipt }
  | { kind: 'waiting'; error: SendError; retryAfterMs?: number }
  | { kind: 'signIn' }
  | { kind: 'refused'; error: SendError }
  /** The item was deleted in another tab. */
  | { kind: 'gone' };

/** How many of an item's photos were sent. */
export type Progress = { sent: number; total: number };

export type SendSettings = {
  fetch: typeof fetch;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Checks whether a failed request means that there is no connection. */
  isOffline(): Promise<boolean>;
  onProgress(id: string, progress: Progress): void;
};

const retryDelaysMs = [1000, 3000, 9000];
const requestTimeoutMs = 60_000;
/** A request that fails sooner than this was not sent. */
const immediateMs = 1000;
/**
 * How often files that the server no longer has are uploaded again before the item needs attention.
 */
const maxReuploads = 5;

/**
 * Whether to send the item later; a transient error is also retried at once. Only the server itself
 * rejects for good: a proxy's page says nothing about the input.
 */
const isWorthWaiting = (error: ApiError) =>
  !error.isFromServer ||
  isTransientError(error) ||
  isTooSlow(error) ||
  [425, 429].includes(error.status) ||
  error.status >= 500;
const needsSignIn = (error: ApiError) =>
  error.isFromServer && (isSignedOut(error) || error.code === 'PASSWORD_CHANGE_NEEDED');

/** Thrown to stop sending an item, with its outcome. */
class SendEnded extends Error {
  readonly outcome: SendOutcome;
  constructor(outcome: SendOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** Sends an item; resolves with what has become of it. Rejects for errors of this device. */
export async function sendItem(itemToSend: OutboxItem, settings: SendSettings): Promise<SendOutcome> {
  let item = itemToSend;

  /** On a full device progress cannot be stored: an interruption repeats what was sent since. */
  let isStorageFull = false;
  const save = async (changes: Parameters<typeof updateItem>[1]) => {
    const saved = await updateItem(item.id, changes).catch(() => {
      isStorageFull = true;
      return item;
    });
    if (!saved) throw new SendEnded({ kind: 'gone' });
    item = isStorageFull ? withChanges(item, changes) : saved;
  };
  const saveFile = (id: string, changes: Partial<OutboxFile>) =>
    save(({ files }) => ({ files: files.map((file) => (file.id === id ? { ...file, ...changes } : file)) }));

  async function sendWithRetry<R extends ClientEndpoint>(
    endpoint: R,
    input: EndpointInput<R>,
    timeoutMs: number,
  ): Promise<Reply<R>> {
    const fetch: typeof globalThis.fetch = (url, init) =>
      settings.fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    let immediateFailures = 0;
    for (const delay of [...retryDelaysMs, undefined]) {
      const startedAt = settings.now();
      try {
        return await sendRequest(fetch, endpoint, { ...input, isBackground: true });
      } catch (error) {
        if (!(error instanceof ApiError) || !isTransientError(error) || delay === undefined) throw error;
        // Users are told soon that they are offline, whatever the browser reports; the sender tries
        // again later.
        if (error.status === 0 && settings.now() - startedAt < immediateMs) immediateFailures += 1;
        if (error.status === 0 && (immediateFailures === 2 || (await settings.isOffline()))) throw error;
        const retryAfterMs = (error.retryAfter ?? 0) * 1000;
        if (retryAfterMs > 10_000) throw error;
        await settings.wait(Math.max(delay, retryAfterMs));
      }
    }
    throw new Error('unreachable');
  }

  /** Throws the outcome of a failed request for the whole item. */
  function throwOutcome(error: unknown, step: SendError['step'], file?: string): never {
    if (!(error instanceof ApiError)) throw error;
    if (needsSignIn(error)) throw new SendEnded({ kind: 'signIn' });
    const { status, code, message, text, fields, retryAfter, body } = error;
    const sendError: SendError = { step, status, code, message, text: text.slice(0, 500), fields };
    if (file !== undefined) sendError.file = file;
    if (body.current !== undefined) sendError.current = body.current;
    if (!isWorthWaiting(error)) throw new SendEnded({ kind: 'refused', error: sendError });
    throw new SendEnded({ kind: 'waiting', error: sendError, ...(retryAfter && { retryAfterMs: retryAfter * 1000 }) });
  }

  async function upload(file: OutboxFile): Promise<void> {
    const stored = await readFile(item.id, file);
    if (!stored) throw new SendEnded({ kind: 'gone' });
    const use = file.slot === 'photo' ? ('photo' as const) : ('signature' as const);
    const input = { query: { use }, body: {}, file: stored, fileName: file.name, ...getSender(item) };
    const timeoutMs = getUploadTimeoutMs(file.size);
    const attempt = (key: string) => sendWithRetry(api.uploadImage, { ...input, key }, timeoutMs);
    const reply = await attempt(file.key).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'KEY_REUSED') throw error;
      // The server had the file, and has deleted it because no record used it.
      const key = newUuid();
      await saveFile(file.id, { key });
      return attempt(key);
    });
    assertUploadPath(reply);
    const { filePath: path, fileName: name, fileType: type, fileSize: size } = reply;
    await saveFile(file.id, { upload: { path, name, type, size } });
  }

  /** Uploads the photos that the server does not have. One that it rejects is marked, other failures stop. */
  async function uploadPhotos(): Promise<void> {
    const photos = item.files.filter(({ slot }) => slot === 'photo');
    if (photos.length === 0) return;
    const missing = photos.filter((file) => !file.upload && !file.problem);
    const total = photos.length;
    let sent = total - missing.length;
    let failed: { id: string; error: unknown } | undefined;
    let refused: { id: string; error: ApiError } | undefined;
    settings.onProgress(item.id, { sent, total });
    await uploadPaced(
      missing,
      ({ size }) => size,
      async (file, isLastTry) => {
        if (failed) return 'done';
        try {
          await upload(file);
        } catch (error) {
          if (!isLastTry && isTooSlow(error)) return 'tooSlow';
          if (error instanceof ApiError && isAboutThisFile(error)) {
            refused ??= { id: file.id, error };
            await saveFile(file.id, { problem: describeUploadError(error) });
          } else failed ??= { id: file.id, error };
        }
        sent += 1;
        settings.onProgress(item.id, { sent, total });
        return 'done';
      },
    );
    if (failed?.error instanceof SendEnded) throw failed.error;
    if (failed) throwOutcome(failed.error, 'photo', failed.id);
    const isAudit = item.kind === 'audit' || item.kind === 'completion';
    const rejected = item.files.filter(({ problem }) => problem).length;
    // A report or hazard is sent without unreadable photos, an audit is not.
    if (rejected > 0 && (isAudit || rejected === photos.length))
      throwOutcome(
        refused?.error ?? createUnconfirmedError('The server could not read the photos.'),
        'photo',
        refused?.id,
      );
  }

  async function uploadSignature(slot: FileSlot): Promise<void> {
    const file = item.files.find((file) => file.slot === slot);
    if (!file || file.upload) return;
    await upload(file).catch((error: unknown) =>
      error instanceof SendEnded ? Promise.reject(error) : throwOutcome(error, slot),
    );
  }

  /** Forgets the upload with this path, or all if undefined, so that the file is uploaded with a new key. */
  async function discardUpload(path: unknown): Promise<void> {
    const withoutUpload = (file: OutboxFile): OutboxFile => {
      const { upload, ...others } = file;
      return upload && (path === undefined || upload.path === path) ? { ...others, key: newUuid() } : file;
    };
    await save(({ files }) => ({ files: files.map(withoutUpload) }));
  }

  async function submit(): Promise<Receipt> {
    const { endpoint, input } = createRequest(item);
    const reply = await sendWithRetry(endpoint, input, requestTimeoutMs);
    const replyFields = readReply(item, reply);
    if (!replyFields) throwOutcome(createUnconfirmedError('The server has not confirmed all photos.'), 'submit');
    return createReceipt(item, replyFields, settings.now());
  }

  try {
    for (let round = 0; ; round++) {
      await uploadPhotos();
      await uploadSignature('signature');
      await uploadSignature('affectedUserSignature');
      try {
        return { kind: 'sent', receipt: await submit() };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const finalReceipt = getFinalReceipt(item, error);
        if (finalReceipt) return { kind: 'sent', receipt: createReceipt(item, finalReceipt, settings.now()) };
        const isFileMissing = error.code === 'FILE_USED' || error.code === 'FILE_DIFFERENT';
        if (!isFileMissing || round >= maxReuploads) throwOutcome(error, 'submit');
        await discardUpload(error.body.file);
      }
    }
  } catch (error) {
    if (error instanceof SendEnded) return error.outcome;
    throw error;
  }
}

/**
 * Whether the error is about this file, not about the connection, the session, a limit or the
 * server.
 */
const isAboutThisFile = (error: ApiError) =>
  !isWorthWaiting(error) && !needsSignIn(error) && error.code !== 'KEY_REUSED' && error.status !== 403;

/** Returns fields of the receipt if the rejection means that nothing is left to send. */
function getFinalReceipt(item: OutboxItem, { code, body }: ApiError): Partial<Receipt> | undefined {
  if (code === 'KEY_REUSED') {
    // What was received with this key may be something else, from another tab: only the same is a success.
    const { number, isSame } = Object(body.received) as { number?: string; isSame?: boolean };
    return isSame ? { ...(number && { number }) } : undefined;
  }
  if (item.kind === 'completion' && code === 'COMPLETED') {
    const current = body.current as Audit | undefined;
    // A shared device does not see the audit; the server has compared it.
    if (!current) return { completedBy: body.isOwn ? item.username : 'someone else' };
    return isOwnCompletion(item, current) ? {} : { completedBy: getCompletedBy(current.data) };
  }
  return undefined;
}

const createReceipt = (item: OutboxItem, replyFields: Partial<Receipt>, sentAt: number): Receipt => {
  const photos = item.files.filter(({ slot }) => slot === 'photo');
  return {
    id: item.id,
    userId: item.userId,
    kind: item.kind,
    form: item.form,
    park: item.park,
    ...(item.place && { place: item.place }),
    ...(item.kind === 'checklist' && countAnswers(item)),
    submittedAt: item.createdAt,
    sentAt,
    photos: photos.filter(({ upload }) => upload).length,
    signatures: item.files.filter(({ slot, upload }) => slot !== 'photo' && upload).length,
    ...replyFields,
    rejected: photos.flatMap(({ id, name, problem }, index) =>
      problem ? [{ id, name, position: index + 1, problem }] : [],
    ),
    isOnForm: item.isOnForm,
  };
};
