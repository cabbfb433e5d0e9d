// Demo messages of guests: two unread, one of them in Welsh, and one that is closed.
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { createGuestMessage, type NewGuestMessage } from '../messages/create.ts';
import { closeMessage, findMessage } from '../messages/store.ts';
import { guestActor } from '../names/guest-account.ts';
import { findPlaceNamed, insertPlace } from '../places/links/place-links.ts';

type DemoMessage = Partial<NewGuestMessage> & { hoursAgo: number; at: { park: string; name: string } };

const messages: DemoMessage[] = [
  {
    ...{ hoursAgo: 30, at: { park: 'Mounds', name: 'Play area' }, kind: 'Broken or loose', hurt: 'nearly' },
    ...{ words: 'One chain of the left swing is nearly through.', name: 'Ffion Parry', contact: '07700 900456' },
  },
  {
    ...{ hoursAgo: 5, at: { park: 'Lido Beach', name: 'Indoor pool' }, kind: 'Trip or slip', language: 'cy' },
    words: 'Mae’r llawr wrth y cawodydd yn llithrig iawn.',
  },
  {
    ...{ hoursAgo: 72, at: { park: 'Lido Beach', name: 'Indoor pool' }, kind: 'Other' },
    words: 'The light in the corridor to the changing rooms does not work.',
  },
];

/** Inserts the demo messages, and their places if they are missing. `reviewer` closes the oldest message. */
export async function addDemoMessages(db: Database, reviewer: { id: string; username: string }, now: Date) {
  for (const { hoursAgo, at, ...fields } of messages) {
    const id = (await insertPlace(db, at.park, at.name)) ?? (await findPlaceNamed(db, at.park, at.name))?.id ?? '';
    const time = new Date(now.getTime() - hoursAgo * 3_600_000);
    const defaults = { kind: null, words: '', hurt: 'no', name: '', contact: '', language: 'en' } as const;
    const message = {
      ...{ contentHash: newId(), textHash: newId(), network: newId(), getReceiptHash: () => sha256(newId()) },
      place: { id, ...at },
      ...defaults,
      ...fields,
    };
    await writeTransaction(db, guestActor, time, async (db, logActivity) => {
      const sent = await createGuestMessage(db, logActivity, message, { now: time });
      const oldest = hoursAgo > 48 && (await findMessage(db, { parks: null }, sent.id));
      const answer = 'Thank you. The light works again.';
      if (oldest)
        await closeMessage(db, logActivity, oldest, { by: reviewer, now: time, reason: 'A new lamp', answer });
    });
  }
}
