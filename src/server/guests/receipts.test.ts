// What a guest reads after sending: for a while also what they sent.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { pageTexts } from '#shared/places/guest-texts.ts';
import { createClock } from '../clock.ts';
import { fixture } from '../testing/factories.ts';
import { addLabel, openForm, sendForm } from '../testing/guests.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Kingsley';
const photo = new Blob([new Uint8Array(fixture('photos/phone-jolla.jpg'))], { type: 'image/jpeg' });
const minuteMs = 60 * 1000;

describe.each(engines)('the receipt of a guest on %s', (engine) => {
  let label: string;
  let ms = 0;
  const clock = () => new Date(createClock()().getTime() + ms);
  const { server } = createTestServer(engine, { TRUST_PROXY: 'loopback' }, clock);
  beforeAll(async () => {
    label = await addLabel(server, park, 'Pool');
    const admin = await server.as('Admin');
    await admin(api.saveParkSettings, { body: { park, guestTelephone: '01745 123456', gasTelephone: '0800 111 999' } });
  });

  const read = async (path: string) => (await fetch(server.guestUrl + path)).text();
  /** Sends a form; returns the path of its receipt. */
  const send = async (form: Parameters<typeof sendForm>[2]) => {
    const response = await sendForm(server, label, { form: await openForm(server, label), ...form });
    return response.headers.get('location') ?? '';
  };
  const buttons = /<button hidden data-do="(?:copy|share)"/g;

  test('thanks and shows the words, the number of photos and the numbers for 30 minutes, never the name, the contact or the photo, and then the state only', async () => {
    const receipt = await send({ words: 'A step <is>\nloose', name: 'Mair Tudor', contact: '07700 900123', photo });
    const page = await read(receipt);
    expect(page).toContain(`<h1>${pageTexts.thanks.en}</h1>`);
    expect(page).toContain('A step &#60;is&#62;\nloose</blockquote>');
    expect(page).toContain('<p>with 1 photo</p>');
    expect(page).toContain('href="tel:01745123456"');
    expect(page).toContain('href="tel:0800111999"');
    expect(page.match(buttons)).toHaveLength(2);
    expect(await read(receipt.replace('lang=en', 'lang=cy'))).toContain(`<p>${pageTexts.withPhoto.cy}</p>`);

    const [stored] = await server.db.selectFrom('guest_messages').selectAll().execute();
    const path: string = JSON.parse(stored?.media_files ?? '[]')[0].path;
    for (const hidden of ['Mair', 'Tudor', '07700', '<img', path]) expect(page).not.toContain(hidden);
    for (const address of [path, `/uploads/${path}`, `${receipt.slice(0, 21)}/${path}`])
      expect((await fetch(new URL(address, server.guestUrl))).status).toBe(404);

    ms += 29 * minuteMs;
    expect(await read(receipt)).toContain('with 1 photo');
    ms += minuteMs;
    const later = await read(receipt);
    expect(later).toContain(`<h1>${pageTexts.yours.en}</h1>`);
    expect(later).toContain('Received on ');
    expect(later).toContain(`/h/r/${receipt.slice(5, 21)}</a>`);
    for (const gone of ['A step', 'photo', '01745', 'data-do']) expect(later.split('</style>')[1]).not.toContain(gone);
  });

  test('says nothing of words or photos that were not sent', async () => {
    const page = await read(await send({ kind: 'Fire' }));
    expect(page).toContain(pageTexts.thanks.en);
    for (const text of [pageTexts.youSent.en, pageTexts.withPhoto.en]) expect(page).not.toContain(text);
    expect(page).not.toContain('<blockquote');
  });

  test('does not tell someone who sends an equal text without a photo of the first one’s photo', async () => {
    const first = await send({ words: 'The gate is open', photo });
    expect(await read(first)).toContain('with 1 photo');
    const second = await send({ words: 'the GATE is open' });
    expect(second).toBe(first);
    expect(await read(second)).not.toContain('with 1 photo');
  });

  test('runs no script but those that the policy of the page names', async () => {
    const response = await fetch(server.guestUrl + (await send({ words: 'Wet floor' })));
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await response.text()) ?? [];
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).not.toContain('unsafe-inline');
  });
});
