// A legitimate user who submits reports, every request of which is timed, and a guest.
import { randomUUID } from 'node:crypto';
import type { Upload } from '#shared/uploads.ts';
import { createReportBody } from '../../src/server/testing/factories.ts';
import { openForm, sendForm } from '../../src/server/testing/guests.ts';
import type { Client, Photo } from '../load/client.ts';

export type LegitimateUser = { client: Client; photo: Photo; signature: Photo };

const requestKind = 'any request of a legitimate user';

/** Submits one report with a photo and two signatures. Returns its id. */
export async function submitReport(
  { client, photo, signature }: LegitimateUser,
  photoCount = 1,
): Promise<string | undefined> {
  const upload = async (image: Photo, use: string) =>
    (
      await client.json<Upload>(requestKind, {
        method: 'POST',
        path: `/api/upload/image?use=${use}`,
        photo: image,
        key: randomUUID(),
      })
    )?.filePath;
  const mediaFiles: { path: string | undefined; name: string }[] = [];
  for (let at = 0; at < photoCount; at++) mediaFiles.push({ path: await upload(photo, 'photo'), name: 'pool.jpg' });
  const firstSignature = (await upload(signature, 'signature')) ?? '';
  const secondSignature = (await upload(signature, 'signature')) ?? '';
  const json = {
    ...createReportBody('', firstSignature, secondSignature),
    date: new Date().toISOString().slice(0, 10),
    time: '00:01',
    mediaFiles,
  };
  const submittedReport = await client.json<{ id: string }>(requestKind, {
    method: 'POST',
    path: '/api/submit-accident',
    key: randomUUID(),
    json,
  });
  return submittedReport?.id;
}

/** Sends a short message of a guest. Throws unless a receipt says that it was received. */
export async function sendAsGuest(guestUrl: string, label: string, words: string): Promise<void> {
  const response = await sendForm({ guestUrl }, label, { form: await openForm({ guestUrl }, label), words });
  if (response.status !== 303) throw new Error(`${response.status} for a message of a guest`);
  const { status } = await fetch(new URL(response.headers.get('location') ?? '', guestUrl));
  if (status !== 200) throw new Error(`${status} for the receipt of a guest`);
}
