// What is left out when guests send too much: photos first. For words see bounds.test.ts.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClock } from '../clock.ts';
import { parseConfig } from '../config.ts';
import { newId } from '../ids.ts';
import { fixture, uploadPhoto } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { addLabel, openForm, sendForm } from '../testing/guests.ts';
import { sendMessage } from '../testing/messages.ts';
import { startProcess } from '../testing/process.ts';
import { insertRow, insertRows } from '../testing/rows.ts';
import { engines, password, signInAt, startTestServer } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Kingsley';
const photo = new Blob([new Uint8Array(fixture('photos/phone-jolla.jpg'))], { type: 'image/jpeg' });
const hourMs = 60 * 60 * 1000;

describe.each(engines)('the limits of guests on %s', (engine) => {
  let ms = 0;
  const clock = () => new Date(createClock()().getTime() + ms);
  const { server } = createTestServer(engine, { TRUST_PROXY: 'loopback' }, clock);
  beforeAll(async () => {
    await server.as('Health & Safety Manager', park);
  });

  const messages = () => server.db.selectFrom('guest_messages').selectAll().orderBy('created_at').execute();
  const countPhotos = async () => (await messages()).filter(({ media_files }) => media_files !== '[]').length;
  const isLeftOut = ({ status, headers }: Response) => {
    expect(status).toBe(303);
    return headers.get('location')?.endsWith('&photo=missing') ?? false;
  };
  const send = async (label: string, words: string, ip?: string) =>
    isLeftOut(await sendForm(server, label, { words, photo }, ip));

  /** Sends a form whose photo never ends. */
  function sendSlowly(
    label: string,
    { form, words, ip = '203.0.113.1' }: { form: string; words: string; ip?: string },
  ) {
    const text = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const { hostname, port } = new URL(server.guestUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /h/${label} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${ip}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n${text('form', form)}${text('words', words)}--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nabc`,
    );
    return socket;
  }

  test('after 20 messages in an hour from a network or at a place, photos are left out', async () => {
    const labels = await Promise.all(['Pool', 'Bar', 'Gate'].map((name) => addLabel(server, park, name)));
    const [pool = '', bar = '', gate = ''] = labels;
    for (let at = 0; at < 20; at += 1)
      expect((await sendForm(server, at % 2 ? pool : bar, { words: `${at}` }, `2001:db8::${at}`)).status).toBe(303);
    for (const label of [pool, gate]) expect(await send(label, `beyond at ${label}`, '2001:db8::99')).toBe(true);
    expect([(await messages()).length, await countPhotos()]).toEqual([22, 0]);
    // Another network is not affected until the place reaches its limit.
    for (let at = 0; at < 9; at += 1) await sendForm(server, pool, { words: `${at}` }, `198.51.100.${at}`);
    expect(await send(pool, 'the 21st', '198.51.100.50')).toBe(true);
    expect(await send(gate, 'elsewhere', '198.51.100.50')).toBe(false);
    ms += hourMs;
    expect(await send(pool, 'an hour later', '2001:db8::1')).toBe(false);
    const keys = (await server.db.selectFrom('throttles').select('key').execute()).map(({ key }) => key);
    expect(keys.filter((key) => key.startsWith('guests of ')).length).toBeGreaterThan(5);
    expect(keys.join()).not.toMatch(/198\.51|2001:db8/);
  });

  test('after 300 messages in a day at a park, or 1 GB of unread photos, photos are left out', async () => {
    const label = await addLabel(server, 'Mounds', 'Lido');
    const { id } = await sendMessage(server, {}, { park: 'Mounds', now: clock() });
    const row = await server.db.selectFrom('guest_messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const createIds = () => ({ id: newId(), form_id: newId(), receipt_hash: newId(), group_id: newId() });
    const others = Array.from({ length: 299 }, () => ({ ...row, ...createIds() }));
    await insertRows(server.db, 'guest_messages', others);
    expect(await send(label, 'the 301st')).toBe(true);
    const elsewhere = await addLabel(server, 'Oakfield', 'Lake');
    expect(await send(elsewhere, 'first')).toBe(false);
    const [message] = (await messages()).filter((one) => one.park === 'Oakfield');
    await insertRow(server.db, 'uploads', {
      path: `/uploads/2026/01/${newId()}.jpg`,
      type: 'image/jpeg',
      size: 2 ** 30,
      uploaded_by: 'guests',
      created_at: clock().toISOString(),
      attached_to: 'message',
      attached_id: message?.id ?? '',
    });
    expect(await send(elsewhere, 'second', '203.0.113.7')).toBe(true);
    await server.db.updateTable('guest_messages').set({ read_at: clock().toISOString() }).execute();
    expect(await send(elsewhere, 'third', '203.0.113.7')).toBe(false);
  });

  test('a photo that is broken, too large or never ends is left out, and the words arrive', async () => {
    const label = await addLabel(server, 'Winkups', 'Lake');
    const broken = new Blob([new Uint8Array(fixture('photos/phone-jolla.jpg').subarray(0, 5000))]);
    const large = new Blob([new Uint8Array(11 * 2 ** 20)]);
    for (const [words, file] of [
      ['broken', broken],
      ['not a photo', new Blob(['hello'])],
      ['large', large],
    ] as const)
      expect(isLeftOut(await sendForm(server, label, { words, photo: file }))).toBe(true);
    const form = await openForm(server, label);
    const socket = sendSlowly(label, { form, words: 'cut' });
    await expect.poll(async () => (await messages()).map(({ words }) => words)).toContain('cut');
    socket.destroy();
    await once(socket, 'close');
    expect(isLeftOut(await sendForm(server, label, { form, words: 'cut', photo }))).toBe(false);
    const sent = (await messages()).filter((one) => one.park === 'Winkups');
    expect(sent.map(({ words, media_files }) => [words, media_files !== '[]'])).toEqual([
      ['broken', false],
      ['not a photo', false],
      ['large', false],
      ['cut', true],
    ]);
    await expect.poll(() => readdirSync(join(server.folder, 'temporary'))).toEqual([]);
  });

  test('while slow senders have every turn for photos, words arrive at once, staff send photos, and then guests do', async () => {
    const label = await addLabel(server, 'Lido Beach', 'Lake');
    const staff = await server.as('None', 'Lido Beach');
    const sentWords = async () => (await messages()).map(({ words }) => words);
    const sockets: Socket[] = [];
    for (let at = 0; at < 6; at += 1) {
      const form = await openForm(server, label);
      sockets.push(sendSlowly(label, { form, words: `slow ${at}`, ip: `192.0.2.${at % 3}` }));
      await expect.poll(sentWords).toContain(`slow ${at}`);
    }
    let hasAnswer = false;
    const honest = send(label, 'honest', '198.51.100.99').finally(() => {
      hasAnswer = true;
    });
    await expect.poll(sentWords).toContain('honest');
    await uploadPhoto(staff);
    expect(hasAnswer).toBe(false);
    for (const socket of sockets) socket.destroy();
    expect(await honest).toBe(false);
    const photos = (await messages()).filter(({ media_files }) => media_files !== '[]').map(({ words }) => words);
    expect(photos).toContain('honest');
    expect(photos.filter((words) => words.startsWith('slow'))).toEqual([]);
  });
});

test('without GUEST_REPORTS there is no listener for guests', async () => {
  await using server = await startTestServer('sqlite', { GUEST_REPORTS: '' });
  expect(server.running.guestServer).toBeUndefined();
  // The page of the app if the screens are built, otherwise an error with the id of its request.
  const read = async (path: string) => (await (await fetch(server.url + path)).text()).replace(/"requestId":"\w+"/, '');
  expect(await read('/h/0123456789')).toBe(await read('/nothing'));
  expect(parseConfig({}).guestUrl).toBe('');
});

test('the log has neither the addresses of guests nor ids of their requests', async () => {
  const folder = createTestFolder(onTestFinished);
  const server = await startProcess({
    ...{ DATA_DIR: folder, ADMIN_PASSWORD: password, LOG_LEVEL: 'trace', TRUST_PROXY: 'loopback' },
    ...{ GUEST_REPORTS: '1', GUEST_URL: 'https://safe.example' },
  });
  try {
    const findPorts = (start: string) =>
      [...server.output().matchAll(new RegExp(`${start} at \\S+?:(\\d+)`, 'g'))].map(([, port]) => port);
    await expect.poll(() => [findPorts('Ready').length, findPorts('listening').length]).toEqual([1, 2]);
    const [port] = findPorts('Ready');
    const guestPort = findPorts('listening').find((one) => one !== port);
    const as = () => signInAt(`http://127.0.0.1:${port}`, 'admin');
    const guests = { guestUrl: `http://127.0.0.1:${guestPort}`, as };
    const label = await addLabel(guests as never, park, 'Pool');
    const lines = server.output().split('\n').length;
    await sendForm(guests as never, label, { words: 'Zebedee Okonkwo', photo }, '198.51.100.77');
    await sendForm(guests as never, 'unknown', { words: 'Zebedee Okonkwo' }, '198.51.100.77');
    await server.end();
    const entries = server
      .output()
      .split('\n')
      .slice(lines - 1)
      .filter((line) => line.startsWith('{') && !line.includes('/api/'));
    expect(entries.join()).toContain('"route":"/h/:code","status":303');
    expect(entries.join()).not.toMatch(/reqId|198\.51|Okonkwo/);
    expect(entries.join()).not.toContain(label);
  } finally {
    server.child.kill('SIGKILL');
  }
});
