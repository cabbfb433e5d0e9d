// Attacks on the listener for guests, from many addresses and from that of honest guests.
import { randomUUID } from 'node:crypto';
import { createLabel } from '../../src/server/places/labels.ts';
import {
  type Attack,
  boundary,
  createFormWith,
  createHttpHead,
  formContentType,
  formHead,
  holdConnectionsOpen,
  repeatGet,
  repeatUntilEnd,
  send,
  sendGet,
  type Target,
} from './attack-tools.ts';

const addresses = Array.from({ length: 200 }, (_, index) => `127.0.1.${index + 1}`);
const photoHead = formHead.replace('"image"', '"photo"');

/** The address of the honest guests. */
const honestAddress = '127.0.0.1';
/** With the messages of the honest guests, these stay under the bytes that a network may send in a day. */
const maxSillyTexts = 1500;

/** Returns the fields of a new message, with the longest text unless another is given. */
const createFields = (fields: Record<string, string> = { words: randomUUID() + 'ŵ'.repeat(464) }) =>
  Object.entries({ form: randomUUID(), ...fields })
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
    .join('\r\n');

/** Sends a message without a photo. */
const sendWords = (
  target: Target,
  label: number,
  { fields, localAddress }: { fields?: Record<string, string>; localAddress?: string },
) =>
  send(
    { ...target, port: target.guests.port },
    {
      path: `/h/${target.guests.labels[label % target.guests.labels.length]}`,
      body: createFormWith(Buffer.alloc(0), createFields(fields)),
      ...{ contentType: formContentType, localAddress },
    },
  );

export const guestAttacks: Record<string, Attack> = {
  'guests: random codes, texts and photos from 200 addresses, slow senders': {
    isShort: true,
    run: (target) => {
      const { guests, files } = target;
      const listener = { ...target, port: guests.port };
      const fakePhoto = Buffer.concat([files.photo.subarray(0, 2000), Buffer.alloc(9_000_000, 7)]);
      const photos = [files.heavyPng, files.photo.subarray(0, 5000), fakePhoto, files.photo];
      let count = 0;
      const post = (body: Buffer) => {
        count += 1;
        const path = `/h/${guests.labels[count % guests.labels.length]}`;
        const localAddress = addresses[count % addresses.length];
        return send(listener, { path, body, contentType: formContentType, localAddress });
      };
      const sendSlowly = (connections: number, start: string, repeatedText: string) => {
        const headers = [`Content-Type: ${formContentType}`, 'Content-Length: 900000'];
        const firstText = createHttpHead(`POST /h/${guests.labels[0]}`, ...headers) + start;
        return holdConnectionsOpen(listener, connections, { firstText, repeatedText, intervalMs: 1000, addresses });
      };
      return Promise.all([
        repeatUntilEnd(10, () => sendGet(listener, `/h/${createLabel()}`)),
        repeatUntilEnd(40, () => post(createFormWith(Buffer.alloc(0), createFields()))),
        repeatUntilEnd(40, (index) =>
          post(createFormWith(photos[index % photos.length] as Buffer, `${createFields()}\r\n${photoHead}`)),
        ),
        sendSlowly(300, createFields(), 'a'),
        // Two of the four photos that the server receives at once.
        sendSlowly(2, `${createFields()}\r\n${photoHead}`, 'a'.repeat(2000)),
      ]);
    },
  },

  'guests: 1,500 different texts from the address of other guests, half of them about someone hurt': {
    isShort: true,
    run: async (target) => {
      const half = target.guests.labels.length / 2;
      let count = 0;
      const sendSilly = async () => {
        while (count < maxSillyTexts) {
          count += 1;
          const fields = { words: `Silly ${randomUUID()}`, kind: 'Fire', ...(count % 2 && { hurt: 'hurt' }) };
          await sendWords(target, count % half, { fields, localAddress: honestAddress });
        }
      };
      await Promise.all(Array.from({ length: 20 }, sendSilly));
    },
  },
  'guests: one text again and again, texts beyond the bytes of a network, and the list of them': {
    run: (target) =>
      Promise.all([
        repeatUntilEnd(20, () => sendWords(target, 0, { fields: { words: 'The step is loose' } })),
        // Beyond 1 MB, and the first 20 of a label and hour, each is rejected with its text.
        repeatUntilEnd(40, (index) => sendWords(target, index, {})),
        ...['?page=1', '?page=50', '', '?closed=1'].map((query) =>
          repeatGet(target, 3, target.reviewers, `/api/messages${query}`),
        ),
      ]),
  },
};
