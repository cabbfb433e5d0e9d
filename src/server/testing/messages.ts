// Messages of guests, stored as the guests' page stores them.
import { randomUUID } from 'node:crypto';
import { writeTransaction } from '../db/write-transaction.ts';
import { sha256 } from '../hash.ts';
import { addGuestPhotos, createGuestMessage, type NewGuestMessage } from '../messages/create.ts';
import { guestAccountId, guestActor } from '../names/guest-account.ts';
import { findPlaceNamed, insertPlace } from '../places/links/place-links.ts';
import type { TestServer } from './server.ts';

type Options = { now?: Date; park?: string; place?: string };

/** `photos` are uploads of guests, which are attached to the message. */
export type SentMessage = Partial<NewGuestMessage> & { photos?: { path: string }[]; receiptHash?: string };

/** Stores a message about a place of a park, the Lido, from a network of its own. */
export async function sendMessage(
  { db }: Pick<TestServer, 'db'>,
  { photos, receiptHash, ...fields }: SentMessage = {},
  { now = new Date(), park = 'Mounds', place: name = 'Lido' }: Options = {},
) {
  const id = (await insertPlace(db, park, name)) ?? (await findPlaceNamed(db, park, name))?.id ?? '';
  const message: NewGuestMessage = {
    ...{ contentHash: randomUUID(), textHash: randomUUID(), network: randomUUID(), place: { id, park, name } },
    ...{ kind: null, words: 'A step is loose', hurt: 'no', name: '', contact: '', language: 'en' },
    getReceiptHash: (id) => receiptHash ?? sha256(id),
    ...fields,
  };
  return writeTransaction(db, guestActor, now, async (db, logActivity) => {
    const sent = await createGuestMessage(db, logActivity, message, { now });
    if (photos) await addGuestPhotos(db, sent.id, photos);
    return sent;
  });
}

/** Makes a user's uploads uploads of guests, so that a message can have them. */
export const giveToGuests = (db: TestServer['db'], paths: string[]) =>
  db.updateTable('uploads').set({ uploaded_by: guestAccountId }).where('path', 'in', paths).execute();
