// Receives a guest's message: the text first, and then the photo, which may be left out.
import { createHmac, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { limits, textLimits } from '#shared/choices.ts';
import { hazardKinds } from '#shared/places/hazards.ts';
import { hurtAnswers, type Language } from '#shared/places/messages.ts';
import { getVisibleKey, isStorable } from '#shared/text.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { HttpError } from '../errors/http-error.ts';
import { toStorageError } from '../files/disk-space.ts';
import { deleteTemporary } from '../files/temporary-files.ts';
import { sha256 } from '../hash.ts';
import type { ReceivedFile, Services } from '../http/handler-context.ts';
import { parseMultipart } from '../http/multipart.ts';
import { createTurnQueue } from '../http/turns.ts';
import { newId } from '../ids.ts';
import { addGuestPhotos, type CreatedMessage, createGuestMessage, sumOpenBytes } from '../messages/create.ts';
import { guestAccountId, guestActor } from '../names/guest-account.ts';
import { toCode } from '../places/labels.ts';
import { getClientNetwork } from '../sign-in/throttle/client-network.ts';
import { countAttempt } from '../sign-in/throttle/throttle.ts';
import { insertUpload, listAttached } from '../uploads/store.ts';
import { storeImage } from '../uploads/store-image.ts';
import type { GuestPlace, TypedMessage } from './html.ts';
import { findPlaceOfLabel } from './places.ts';

const hourSeconds = 60 * 60;
/** Beyond these, photos are left out. */
const messageLimits = { perHour: 20, perParkAndDay: 300, unreadBytes: 2 ** 30 };

const photoForm = { file: 'photo', required: false, limit: limits.photoBytes, tooLarge: '', fields: z.unknown() };

/** More than all fields of a form can have, encoded. */
const maxTypedBytes = 16 * 1024;

type Fields = Record<string, string>;
type Sent = { fields: Fields; hasPhoto: boolean };
type Stored = CreatedMessage & { receipt: string };

/** A message that was not stored, with what was typed. */
export class NotStoredError extends HttpError {
  readonly typed: TypedMessage;
  constructor(status: number, typed: TypedMessage, options?: ErrorOptions) {
    super(status, 'The message was not stored');
    this.typed = typed;
    this.cause = options?.cause;
  }
}

export const hashReceipt = (receipt: string) => sha256(`receipt ${receipt}`);

/** Returns what of a text can be stored, at most `max` characters, so that no message is rejected for its text. */
const toStorableText = (text = '', max: number) =>
  [...text.toWellFormed().normalize('NFC').trim()].filter(isStorable).slice(0, max).join('');
const choose = <Choice extends string>(choices: readonly Choice[], sent = '') =>
  choices.find((choice) => choice === sent) ?? null;

/** Returns the fields of a form as they can be stored. */
const toMessage = (fields: Fields) => ({
  kind: choose(hazardKinds, fields.kind),
  hurt: choose(hurtAnswers, fields.hurt),
  words: toStorableText(fields.words, textLimits.reason),
  name: toStorableText(fields.name, textLimits.name),
  contact: toStorableText(fields.contact, textLimits.name),
});

/** Returns what someone has typed and chosen, for a form that begins with it. */
const toTyped = (fields: Fields): TypedMessage => ({ formId: fields.form, ...toMessage(fields) });

/** Reads a form that is not sent yet: one that comes back in the other language. */
export async function readTyped(payload: Readable): Promise<TypedMessage> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection is still needed for the response.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxTypedBytes) throw new HttpError(413, 'The form is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString().replaceAll('%0D%0A', '%0A');
  return toTyped(Object.fromEntries(new URLSearchParams(text)));
}

/** Returns what was typed in a form whose message cannot be stored, without its photo; empty if the form is invalid. */
export async function receiveTyped(services: Services, request: FastifyRequest): Promise<TypedMessage> {
  let received: Fields = {};
  try {
    const { fields } = await parseMultipart(services, request, photoForm, async (fields) => {
      received = fields;
      throw new HttpError(404, 'The photo is not needed');
    });
    received = fields;
  } catch {
    // The message is not stored in any case.
  }
  return toTyped(received);
}

export function createGuestReceiver(services: Services) {
  const { db, clock, space, secrets } = services;
  /** Guests together are one user: they write in turn, and four photos are processed at once, two of a network. */
  const turns = { write: createTurnQueue(1), network: createTurnQueue(2), photo: createTurnQueue(4) };
  const key = randomBytes(32);
  const hashNetwork = (ip: string) => createHmac('sha256', key).update(getClientNetwork(ip)).digest('base64url');
  const openMessages = createOpenBytes(db);
  /** The receipt follows from the message's id and the server's key: a reader of the database does not know it. */
  const getReceipt = (id: string) => toCode(secrets.hash('receipt of a guest', id).subarray(0, 16));

  /** Stores the text. The same text of the same form is one message. */
  async function store(request: FastifyRequest, language: Language, label: string, { fields, hasPhoto }: Sent) {
    const now = clock();
    const typed = toTyped(fields);
    const message = toMessage(fields);
    if (!message.kind && !message.words && !hasPhoto && message.hurt !== 'hurt') throw new NotStoredError(400, typed);
    try {
      await space.check('guest');
      await turns.write.take(request, '');
      const network = hashNetwork(request.ip);
      const openBytes = await openMessages.get(now);
      const { isBeyondLimits, ...stored } = await writeTransaction(db, guestActor, now, async (db, logActivity) => {
        // Only here is it certain that the place is not joined or retired before its message is stored.
        const place = await findPlaceOfLabel(db, label);
        if (!place) throw new HttpError(404, 'The label is not in use');
        const isBeyondLimits = await countMessage(db, place, network, now);
        const formId = (fields.form?.length ?? 0) >= 26 ? fields.form : newId();
        const keys = {
          contentHash: sha256(JSON.stringify([formId, label, message])),
          textHash: hashText(place, message),
          getReceiptHash: (id: string) => hashReceipt(getReceipt(id)),
        };
        const sent = { ...message, ...keys, network, place, language, hasPhoto: hasPhoto && !isBeyondLimits };
        return { ...(await createGuestMessage(db, logActivity, sent, { now, openBytes })), isBeyondLimits };
      });
      openMessages.add(stored.bytes);
      return { ...stored, receipt: getReceipt(stored.id), isBeyondLimits };
    } catch (error) {
      const cause = toStorageError(error);
      throw new NotStoredError(cause instanceof HttpError ? cause.status : 500, typed, { cause: error });
    } finally {
      turns.write.release(request);
    }
  }

  /** Hashes what a message says at a place without regard to case, accents, spaces and what nobody sees. */
  const hashText = (place: GuestPlace, { kind, hurt, words, name, contact }: ReturnType<typeof toMessage>) =>
    secrets
      .hash('text of a guest', JSON.stringify([place.id, kind, hurt, ...[words, name, contact].map(getVisibleKey)]))
      .toString('base64url');

  async function addPhoto({ id }: Stored, file: ReceivedFile): Promise<void> {
    const now = clock();
    await storeImage(services, { file: { ...file, name: '' }, use: 'photo', userId: guestAccountId, now }, (upload) =>
      writeTransaction(db, guestActor, now, async (db) => {
        await insertUpload(db, upload);
        await addGuestPhotos(db, id, [{ path: upload.path }]);
      }),
    );
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { label, language }: { label: string; language: Language },
  ): Promise<{ receipt: string; isPhotoMissing: boolean }> => {
    reply.raw.once('close', () => {
      for (const queue of Object.values(turns)) queue.release(request);
    });
    let stored: Stored | undefined;
    let file: ReceivedFile | undefined;
    try {
      const form = await parseMultipart(services, request, photoForm, async (fields, fileName) => {
        const message = await store(request, language, label, { fields, hasPhoto: fileName !== '' });
        stored = message;
        if (fileName === '') return;
        // With a photo already, this one is only compared with it.
        if (!message.hasPhoto && (message.isBeyondLimits || (await isPhotoSpaceFull(db))))
          throw new HttpError(429, 'No more photos');
        await space.check('upload');
        await turns.network.take(request, getClientNetwork(request.ip));
        await turns.photo.take(request, '');
      });
      file = form.file;
      stored ??= await store(request, language, label, { fields: form.fields, hasPhoto: false });
      if (file?.size && !(await hasThisPhoto(db, stored, file))) {
        if (stored.hasPhoto) throw new HttpError(409, 'This message already has a photo');
        await addPhoto(stored, file);
      }
      return { receipt: stored.receipt, isPhotoMissing: false };
    } catch (error) {
      if (!stored) throw error;
      // The same photo may have arrived with the same form at the same time.
      const isThere = file !== undefined && (await hasThisPhoto(db, stored, file));
      return { receipt: stored.receipt, isPhotoMissing: !isThere };
    } finally {
      await deleteTemporary(file?.path);
    }
  };
}

/** Knows the bytes of the open messages, which it sums once a minute. */
function createOpenBytes(db: Database) {
  let summedAt = -Infinity;
  let bytes = 0;
  return {
    async get(now: Date): Promise<number> {
      const age = now.getTime() - summedAt;
      if (age < 0 || age >= 60_000) {
        summedAt = now.getTime();
        bytes = await sumOpenBytes(db);
      }
      return bytes;
    },
    add(more: number): void {
      bytes += more;
    },
  };
}

/** Counts a message; returns whether it is beyond the limits of its network, its place or its park. */
async function countMessage(db: Database, place: GuestPlace, network: string, now: Date): Promise<boolean> {
  const ofNetwork = await countAttempt(db, `guests of ${network}`, hourSeconds, now);
  const ofPlace = await countAttempt(db, `guests at ${place.id}`, hourSeconds, now);
  const ofPark = await db
    .selectFrom('guest_messages')
    .select('id')
    .where('park', '=', place.park)
    .where('created_at', '>', new Date(now.getTime() - 24 * hourSeconds * 1000).toISOString())
    .limit(1)
    .offset(messageLimits.perParkAndDay - 1)
    .executeTakeFirst();
  return ofNetwork.count > messageLimits.perHour || ofPlace.count > messageLimits.perHour || ofPark !== undefined;
}

const hasThisPhoto = async (db: Database, { id }: Stored, { sha256 }: ReceivedFile): Promise<boolean> =>
  (await listAttached(db, 'message', [id])).some((upload) => upload.sha256_received === sha256);

/** Whether the photos of unread messages take as much space as they may. */
async function isPhotoSpaceFull(db: Database): Promise<boolean> {
  const { bytes } = await db
    .selectFrom('uploads')
    .innerJoin('guest_messages', 'guest_messages.id', 'uploads.attached_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('bytes'))
    .where('uploaded_by', '=', guestAccountId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(bytes) >= messageLimits.unreadBytes;
}
