// A legitimate user who submits reports, every request of which is timed, and a guest.
import { randomUUID } from 'node:crypto';
import type { Upload } from '#shared/uploads.ts';
import { createReportBody } from '../../src/server/testing/factories.ts';
import { openForm, sendForm } from '../../src/server/testing/guests.ts';
import type { Client, Photo } from '../load/client.ts';

export type LegitimateUser = { client: Client; photo: Photo; signature: Photo };

const requestKind = 'any request of a legitimate user';

/** Submits one report with a photo and two signatures. */
export async function submitReport({ client, photo, signature }: LegitimateUser): Promise<void> {
  const post = (path: string, content: { photo: Photo } | { json: object }) =>
    client.json<Upload>(requestKind, { method: 'POST', path, key: randomUUID(), ...content });
  const upload = async (image: Photo, use: string) =>
    (await post(`/api/upload/image?use=${use}`, { photo: image }))?.filePath ?? '';
  const paths = [
    await upload(photo, 'photo'),
    await upload(signature, 'signature'),
    await upload(signature, 'signature'),
  ];
  const json = createReportBody(...(paths as [string, string, string]));
  await post('/api/submit-accident', { json: { ...json, date: new Date().toISOString().slice(0, 10), time: '00:01' } });
}

/** Sends a short message of a guest. Throws unless a receipt says that it was received. */
export async function sendAsGuest(guestUrl: string, label: string, words: string): Promise<void> {
  const response = await sendForm({ guestUrl }, label, { form: await openForm({ guestUrl }, label), words });
  if (response.status !== 303) throw new Error(`${response.status} for a message of a guest`);
  const { status } = await fetch(new URL(response.headers.get('location') ?? '', guestUrl));
  if (status !== 200) throw new Error(`${status} for the receipt of a guest`);
}
