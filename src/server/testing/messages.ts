// Messages of guests, stored as the guests' page stores them.
import { randomUUID } from 'node:crypto';
import { guestAccountId, guestActor } from '../db/guest-account.ts';
import { findPlaceNamed, insertPlace } from '../db/place-links.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { sha256 } from '../hash.ts';
import { addGuestPhotos, createGuestMessage, type NewGuestMessage } from '../messages/store.ts';
import type { TestServer } from './server.ts';

type Options = { now?: Date; notify?: boolean; park?: string };

/** `photos` are uploads of guests, which are attached to the message. */
export type SentMessage = Partial<NewGuestMessage> & { photos?: { path: string }[] };

/** Stores a message about the Lido of a park. */
export async function sendMessage(
  { db }: Pick<TestServer, 'db'>,
  { photos, ...fields }: SentMessage = {},
  { now = new Date(), notify = true, park = 'Mounds' }: Options = {},
) {
  const id = (await insertPlace(db, park, 'Lido')) ?? (await findPlaceNamed(db, park, 'Lido'))?.id ?? '';
  const message: NewGuestMessage = {
    ...{ contentHash: randomUUID(), receiptHash: sha256(randomUUID()), place: { id, park, name: 'Lido' } },
    ...{ kind: null, words: 'A step is loose', hurt: 'no', name: '', contact: '', language: 'en' },
    ...fields,
  };
  return writeTransaction(db, guestActor, now, async (db, logActivity) => {
    const sent = await createGuestMessage(db, logActivity, message, { now, isBeyondLimits: !notify });
    if (photos) await addGuestPhotos(db, sent.id, photos);
    return sent;
  });
}

/** Makes a user's uploads uploads of guests, so that a message can have them. */
export const giveToGuests = (db: TestServer['db'], paths: string[]) =>
  db.updateTable('uploads').set({ uploaded_by: guestAccountId }).where('path', 'in', paths).execute();
