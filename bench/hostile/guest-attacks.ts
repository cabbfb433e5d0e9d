// An attack on the listener for guests, from many addresses.
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
  repeatUntilEnd,
  send,
  sendGet,
} from './attack-tools.ts';

const addresses = Array.from({ length: 200 }, (_, index) => `127.0.1.${index + 1}`);
const photoHead = formHead.replace('"image"', '"photo"');

/** Returns the fields of a new message with the longest text. */
const createFields = () =>
  Object.entries({ form: randomUUID(), words: randomUUID() + 'ŵ'.repeat(464) })
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
    .join('\r\n');

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
};
