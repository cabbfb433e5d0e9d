// Valid input; a test overrides only the fields it needs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { api } from '#shared/api.ts';
import type { TestClient } from './server.ts';

export const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures', name));

const photos: Promise<Buffer>[] = [];
let photoCount = 0;

/** A small photo, of another colour than the last seven. */
export function photo(): Promise<Buffer> {
  const at = photoCount++ % 8;
  const background = { r: 32 * at, g: 90, b: 120 };
  photos[at] ??= sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return photos[at];
}

let signature: Promise<Buffer> | undefined;

/** A black signature on white, as the signature pad creates it. */
export function signaturePng(): Promise<Buffer> {
  signature ??= sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="white"/><path d="M20 80 Q 80 10 140 70 T 280 50" stroke="black" stroke-width="3" fill="none"/></svg>',
    ),
  )
    .png()
    .toBuffer();
  return signature;
}

/** Uploads an image and returns its path. */
export async function upload(
  client: TestClient,
  bytes: Buffer,
  name = 'photo.jpg',
  use?: 'photo' | 'signature',
): Promise<string> {
  const { filePath } = await client(api.uploadImage, {
    file: new Blob([new Uint8Array(bytes)]),
    fileName: name,
    query: { use },
  } as never);
  return filePath;
}

export const uploadPhoto = async (client: TestClient) => upload(client, await photo());
export const uploadSignature = async (client: TestClient) =>
  upload(client, await signaturePng(), 'signature-1.png', 'signature');

/** A report's body with the paths of its uploads. */
export const createReportBody = (photo: string, signature: string, affected: string) => ({
  selectedPlace: 'Lido Beach' as const,
  name: 'Siân Ŵyn Jones',
  age: 34,
  contactNumber: '07700900123',
  reporter: 'Huw Parry',
  date: '2026-03-14',
  time: '14:05',
  type: 'Slip',
  location: 'Plot 12',
  employmentStatus: 'Guest' as const,
  emergencyService: 'None' as const,
  details: 'Slipped on the wet step by the pool.\nA first aider attended.',
  mediaFiles: [{ path: photo, name: 'pool.jpg', storageType: 'server' as const }],
  signature: { path: signature, storageType: 'server' as const },
  affectedUserSignature: { path: affected, storageType: 'server' as const },
});

/** Uploads a photo and two signatures. Returns the body of a new report with them. */
export async function newReport(client: TestClient, changes: Record<string, unknown> = {}) {
  const [photo, signature, affected] = await Promise.all([
    uploadPhoto(client),
    uploadSignature(client),
    uploadSignature(client),
  ]);
  return { ...createReportBody(photo, signature, affected), ...changes };
}

/** Creates a folder and returns its id. */
export async function newFolder(client: TestClient, changes: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Fire safety', description: 'Monthly rounds', park: 'Lido Beach' as const, ...changes };
  return (await client(api.createFolder, { body })).id;
}

/** The body of a new audit without photos. */
export const newAudit = (folder_id: string, changes: Record<string, unknown> = {}) => ({
  folder_id,
  title: 'Check the extinguishers',
  location: 'Clubhouse',
  assignee: 'Siân',
  description: 'All floors.\nNote the dates on the tags.',
  is_urgent: false,
  date: '2026-03-20',
  time: '09:30',
  ...changes,
});

/** The body of a new lesson, for one park unless others are given. */
export const newLesson = (changes: Record<string, unknown> = {}) => ({
  title: 'Sockets outside',
  happened: 'A socket in the open filled with water and gave a shock.',
  look_at: 'Every socket outside: is its cover whole?',
  parks: ['Lido Beach' as const],
  answer_by: '2099-01-01',
  ...changes,
});

/** Draws an image whose four quarters have different colours, so that its orientation can be checked. */
export function drawQuarters(width = 400, height = 200) {
  const halfSize = { width: width / 2, height: height / 2 };
  const fill = (background: string) => ({ create: { ...halfSize, channels: 3 as const, background } });
  return sharp({ create: { width, height, channels: 3, background: '#cc2211' } }).composite([
    { input: fill('#11aa33'), left: halfSize.width, top: 0 },
    { input: fill('#2244cc'), left: 0, top: halfSize.height },
    { input: fill('#eeeeee'), left: halfSize.width, top: halfSize.height },
  ]);
}
