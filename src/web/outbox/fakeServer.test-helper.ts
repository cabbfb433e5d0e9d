// A fake server for the sender: uploads, submissions and their keys. Each request can fail.
import type { OutboxItem } from './items.ts';

export type Fault =
  | 'none'
  | 'neverSent'
  | 'responseLost'
  | 'badGateway'
  | 'busy'
  | 'tooSlow'
  | 'inFlight'
  | 'signedOut'
  /** Thrown when the page is closed: no code after it runs. */
  | 'closed';

type StoredUpload = { path: string; sha256: string; userId: string; usedBy?: string };
type Audit = {
  version: number;
  data: { completed: boolean; completed_by: string | null; media_files: { path: string }[] };
};
type Submitted = {
  id: string;
  number: string;
  userId: string;
  submittedFor?: string | null;
  body: Record<string, unknown>;
  photos: string[];
};

const hash = async (bytes: Uint8Array<ArrayBuffer>) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

export function createFakeServer() {
  const uploads = new Map<string, StoredUpload>();
  const replies = new Map<string, { fingerprint: string; body: Record<string, unknown> }>();
  const submitted: Submitted[] = [];
  const audits = new Map<string, Audit>();
  let nextFault: () => Fault = () => 'none';
  let onClose = () => {};
  let sessionUserId = 'sian';
  /** Rejects the upload of files with these names. */
  const unreadable = new Set<string>();

  const createResponse = (status: number, body: object, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
  const createErrorResponse = (status: number, code: string, more: object = {}) =>
    createResponse(status, { success: false, code, message: `${code}.`, ...more });

  async function handle(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const userId = headers.get('x-user-id');
    if (userId !== sessionUserId) return createErrorResponse(401, 'OTHER_USER');
    const key = `${userId} ${url.split('?')[0]} ${headers.get('idempotency-key')}`;
    const isUpload = init.body instanceof FormData;
    const file = isUpload ? ((init.body as FormData).get('image') as File) : undefined;
    const bytes = file && new Uint8Array(await file.arrayBuffer());
    const fingerprint = await hash(bytes ?? new TextEncoder().encode(String(init.body)));
    const known = replies.get(key);
    if (known && (!isUpload || uploads.has(known.body.filePath as string)))
      return known.fingerprint === fingerprint
        ? createResponse(200, known.body)
        : createErrorResponse(422, 'KEY_REUSED', { received: { number: known.body.number } });
    if (known) return createErrorResponse(422, 'KEY_REUSED');
    const reply = (body: Record<string, unknown>, status = 201) => {
      replies.set(key, { fingerprint, body });
      return createResponse(status, body);
    };
    if (file && bytes) {
      if (unreadable.has(file.name)) return createErrorResponse(422, 'UNPROCESSABLE');
      const pathLetters = [...crypto.randomUUID().replaceAll('-', '')].map(
        (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)],
      );
      const path = `/uploads/2026/11/${pathLetters.slice(0, 26).join('')}.jpg`;
      uploads.set(path, { path, sha256: fingerprint, userId });
      return reply(
        { success: true, filePath: path, fileName: file.name, fileType: file.type, fileSize: file.size },
        200,
      );
    }
    const body = JSON.parse(String(init.body)) as Record<string, unknown>;
    type NamedUpload = { path: string; sha256?: string };
    const namedUploads = [
      ...((body.mediaFiles ??
        body.media_files ??
        (body.data as { media_files?: NamedUpload[] })?.media_files ??
        []) as NamedUpload[]),
      ...[body.signature, body.affectedUserSignature].flatMap((file) => (file ? [file as NamedUpload] : [])),
    ];
    const audit = init.method === 'PUT' ? audits.get(url.split('/').at(-1) ?? '') : undefined;
    if (audit?.data.completed) return createErrorResponse(409, 'COMPLETED', { current: audit });
    if (audit && audit.version !== body.version) return createErrorResponse(409, 'STALE', { current: audit });
    for (const { path, sha256 } of namedUploads) {
      const upload = uploads.get(path);
      if (!upload || upload.userId !== userId || upload.usedBy)
        return createErrorResponse(409, 'FILE_USED', { file: path });
      if (sha256 && sha256 !== upload.sha256) return createErrorResponse(409, 'FILE_DIFFERENT', { file: path });
    }
    const id = crypto.randomUUID();
    const number = `ACC-2026-${String(submitted.length + 1).padStart(4, '0')}`;
    for (const { path } of namedUploads) (uploads.get(path) as StoredUpload).usedBy = id;
    if (audit) {
      submitted.push({
        id,
        number: '',
        userId,
        body,
        photos: namedUploads.map(({ path }) => uploads.get(path)?.sha256 ?? ''),
      });
      audit.version += 1;
      audit.data = { ...audit.data, ...(body.data as object), completed_by: userId };
      return createResponse(200, audit);
    }
    const photos = namedUploads.slice(0, (body.mediaFiles as NamedUpload[] | undefined)?.length ?? namedUploads.length);
    submitted.push({
      id,
      number,
      userId,
      submittedFor: headers.get('x-submitted-for'),
      body,
      photos: namedUploads.map(({ path }) => uploads.get(path)?.sha256 ?? ''),
    });
    return reply({ success: true, id, number, photos: photos.length, ...(body.signature ? { signatures: 2 } : {}) });
  }

  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const error = nextFault();
    if (error === 'closed') {
      // In half of the cases the request was processed.
      if (Math.random() < 0.5) await handle(String(input), init);
      onClose();
      return new Promise(() => undefined);
    }
    if (error === 'neverSent') throw new TypeError('Failed to fetch');
    if (error === 'badGateway') return new Response('Bad gateway', { status: 502 });
    if (error === 'busy') return createResponse(503, { message: 'Busy.' }, { 'retry-after': '2' });
    if (error === 'tooSlow') return createErrorResponse(408, 'TOO_SLOW');
    if (error === 'inFlight') return createResponse(409, { code: 'CONFLICT' }, { 'retry-after': '1' });
    if (error === 'signedOut') return createErrorResponse(401, 'NOT_SIGNED_IN');
    const response = await handle(String(input), init);
    if (error === 'responseLost') throw new TypeError('Failed to fetch');
    return response;
  };

  return {
    fetch,
    uploads,
    submitted,
    replies,
    audits,
    unreadable,
    setErrors(next: () => Fault) {
      nextFault = next;
    },
    onClose(close: () => void) {
      onClose = close;
    },
    signIn(userId: string) {
      sessionUserId = userId;
    },
    /** Deletes what the hourly maintenance would delete after 72 hours. */
    deleteUnattached() {
      for (const [path, { usedBy }] of uploads) if (!usedBy) uploads.delete(path);
    },
  };
}

let fileCount = 0;

export const newFile = (name = 'photo.jpg') => {
  fileCount += 1;
  return new File([`bytes of ${name} ${fileCount} ${Math.random()}`], name, { type: 'image/jpeg' });
};

/** A report as its form submits it. */
export const newReportItem = (changes: Partial<OutboxItem> = {}) => ({
  id: crypto.randomUUID(),
  userId: 'sian',
  username: 'sian',
  kind: 'accident' as const,
  form: 'accident',
  address: '/reporting',
  title: 'Slip',
  park: 'Lido Beach',
  createdAt: Date.now(),
  capturedAt: new Date().toISOString(),
  body: { name: 'Ellie Barker' },
  ...changes,
  files: [
    { id: 'a', slot: 'photo' as const, file: newFile('one.jpg') },
    { id: 'b', slot: 'photo' as const, file: newFile('two.jpg') },
    { id: 'c', slot: 'photo' as const, file: newFile('three.jpg') },
    { id: 'd', slot: 'signature' as const, file: newFile('signature.png') },
    { id: 'e', slot: 'affectedUserSignature' as const, file: newFile('affected.png') },
  ],
});

const photos = () => [
  { id: 'a', slot: 'photo' as const, file: newFile('one.jpg') },
  { id: 'b', slot: 'photo' as const, file: newFile('two.jpg') },
];

export const newChecklistItem = () => ({
  ...newReportItem({ kind: 'checklist', form: 'checklist/pool', body: { checklistId: 'pool', data: { 0: '7.4' } } }),
  files: [],
});

export const newAuditItem = () => ({
  ...newReportItem({ kind: 'audit', form: 'create-audit/plant', body: { folder_id: 'plant', title: 'Pump' } }),
  files: photos(),
});

export const newHazardItem = () => ({
  ...newReportItem({
    kind: 'hazard',
    form: 'report-hazard',
    body: { hazard: { park: 'Lido Beach' }, location: 'Pool' },
  }),
  files: photos(),
});

/** The completion of an audit that exists on this server. */
export function newCompletionItem(server: ReturnType<typeof createFakeServer>, changes: Partial<OutboxItem> = {}) {
  const recordId = crypto.randomUUID();
  server.audits.set(recordId, { version: 1, data: { completed: false, completed_by: null, media_files: [] } });
  const body = { data: { completed: true, description: 'In order', media_files: [] }, version: 1 };
  const item = newReportItem({ kind: 'completion', form: `audit/${recordId}`, recordId, body, ...changes });
  return { ...item, files: photos() };
}
