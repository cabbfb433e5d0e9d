// The pages for guests: where labels lead, and how messages arrive.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { pageTexts } from '#shared/places/guest-texts.ts';
import { hazardKinds } from '#shared/places/hazards.ts';
import { fixture } from '../testing/factories.ts';
import { addLabel, beginForm, openForm, sendForm } from '../testing/guests.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Kingsley';
const photo = new Blob([new Uint8Array(fixture('photos/phone-jolla.jpg'))], { type: 'image/jpeg' });

describe.each(engines)('the pages for guests on %s', (engine) => {
  let label: string;
  const { server, admin } = createTestServer(engine, {
    TRUST_PROXY: 'loopback',
    PUBLIC_URL: 'https://reports.example',
    PRIVACY_NOTICE_URL: 'https://park.example/privacy?a=1&b=2',
  });
  beforeAll(async () => {
    label = await addLabel(server, park, '<b>Pool & bar</b>');
  });

  const get = (path: string, headers = {}) => fetch(server.guestUrl + path, { headers, redirect: 'manual' });
  const read = async (path: string, headers = {}) => (await get(path, headers)).text();
  const list = () => server.db.selectFrom('guest_messages').selectAll().orderBy('created_at').execute();
  const listPhotos = () => server.db.selectFrom('uploads').select('path').where('uploaded_by', '=', 'guests').execute();

  /** Resolves when the server reads a form, for which it has looked up the place. */
  const isReceiving = () =>
    expect
      .poll(async () => (await (await fetch(`${server.url}/healthz`)).json()) as object)
      .toMatchObject({ bodies: { bodies: 1 } });

  test('a label leads to a form in English or Welsh under 30 kB, which loads no other file', async () => {
    const english = await read(`/h/${label}`);
    expect(Buffer.byteLength(english)).toBeLessThan(30_000);
    expect(english).toContain('<strong>&#60;b&#62;Pool &#38; bar&#60;/b&#62;</strong>');
    for (const kind of hazardKinds) expect(english).toContain(`value="${kind}"`);
    expect(english).toContain('href="https://park.example/privacy?a=1&#38;b=2"');
    expect(english).toContain(`href="https://reports.example/places/${label}"`);
    expect(english.match(/(?:src|srcset)="|<link[^>]*href="(?!data:,)/g)).toBeNull();
    const welsh = await read(`/h/${label}`, { 'accept-language': 'cy-GB,en;q=0.5' });
    expect(welsh).toContain('<html lang="cy">');
    for (const { en, cy } of [pageTexts.words, pageTexts.send, pageTexts.notNow]) {
      expect(english).toContain(en);
      expect(welsh).toContain(cy);
    }
    expect(await read(`/h/${label}?lang=en`, { 'accept-language': 'cy' })).toContain(pageTexts.send.en);
    expect(await read(`/h/${label.toLowerCase()}`)).toContain('name="form"');
  });

  test('responses to guests set no cookie, and have headers against framing, shared caches and foreign referrers', async () => {
    for (const path of [`/h/${label}`, '/h/unknown', '/h/r/unknown']) {
      const { headers } = await get(path, { cookie: admin.cookie });
      expect(headers.has('set-cookie')).toBe(false);
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
      expect(headers.get('cache-control')).toMatch(/^(?:private, max-age=0|no-store)$/);
    }
  });

  test('the receipt of a message with a photo shows that it was received, then read, then the closing sentence', async () => {
    const form = {
      form: await openForm(server, label),
      kind: 'Fire',
      words: 'Mae’r larwm yn canu\n\0<i>',
      hurt: 'nearly',
    };
    const response = await sendForm(server, `${label}?lang=cy`, { ...form, name: 'Siân', contact: '01745 1', photo });
    expect(response.status).toBe(303);
    const receipt = response.headers.get('location') ?? '';
    expect(receipt).toMatch(/^\/h\/r\/[0-9A-Z]{16}\?lang=cy$/);
    const [message] = await list();
    expect(message).toMatchObject({
      ...{ park, kind: 'Fire', words: 'Mae’r larwm yn canu\n<i>', hurt: 'nearly', name: 'Siân', contact: '01745 1' },
      language: 'cy',
    });
    expect(JSON.parse(message?.media_files ?? '')).toHaveLength(1);
    const stored = JSON.stringify(message);
    expect(stored).not.toContain(form.form);
    expect(stored).not.toContain(receipt.slice(5, 21));
    expect(await read(receipt)).toContain('Daeth i law ar ');
    const page = await read(receipt.replace('cy', 'en'));
    expect(page).toContain(`https://safe.example${receipt.slice(0, 21)}`);
    expect(page).not.toContain(pageTexts.read.en);
    const set = (values: object) => server.db.updateTable('guest_messages').set(values).execute();
    await set({ read_at: new Date().toISOString() });
    expect(await read(receipt)).toContain(pageTexts.read.cy);
    await set({ closed_at: new Date().toISOString(), answer: 'We mended <it>.' });
    expect(await read(receipt)).toContain('We mended &#60;it&#62;.');
    // Codes never contain the letter U.
    expect((await get(`${receipt.slice(0, 20)}U`)).status).toBe(404);
  });

  test('the same form sent twice at once, or again later, is one message; changed words are another message', async () => {
    const before = { messages: (await list()).length, photos: (await listPhotos()).length };
    const form = { form: await openForm(server, label), words: 'The step is loose' };
    const both = await Promise.all([1, 2].map(() => sendForm(server, label, { ...form, photo })));
    const again = await sendForm(server, label, { ...form, photo });
    const receipts = [...both, again].map(({ status, headers }) => [status, headers.get('location')]);
    expect(new Set(receipts.map(String)).size).toBe(1);
    expect(receipts[0]?.[0]).toBe(303);
    expect(await list()).toHaveLength(before.messages + 1);
    expect(await listPhotos()).toHaveLength(before.photos + 1);
    const changed = await sendForm(server, label, { ...form, words: 'The step is loose and wet' });
    expect(changed.headers.get('location')).not.toBe(again.headers.get('location'));
    expect(await list()).toHaveLength(before.messages + 2);
    // A photo that the guest adds after going back joins the message.
    await sendForm(server, label, { ...form, words: 'The step is loose and wet', photo });
    expect(await list()).toHaveLength(before.messages + 2);
    expect(await listPhotos()).toHaveLength(before.photos + 2);
  });

  test('a photo is stored or reported missing: after an equal text of someone else, in place of another, and after closing', async () => {
    const pool = await addLabel(server, 'Mounds', `Pool ${engine}`);
    const sendPool = async (fields: object) => {
      const { headers } = await sendForm(server, pool, { words: 'The rail is loose', ...fields });
      const [, receipt = '', missing] =
        /^\/h\/r\/(\w+)\?lang=en(&photo=missing)?$/.exec(headers.get('location') ?? '') ?? [];
      return { receipt, isMissing: missing !== undefined };
    };
    const other = new Blob([new Uint8Array(fixture('photos/phone-iphone-hdr.jpg'))], { type: 'image/jpeg' });
    const before = { messages: (await list()).length, photos: (await listPhotos()).length };
    const first = await sendPool({ form: await openForm(server, pool) });
    const form = await openForm(server, pool);
    expect(await sendPool({ form })).toEqual(first);
    // The form of the second guest, sent again with a photo, is a message of its own.
    const second = await sendPool({ form, photo });
    expect([second.isMissing, second.receipt === first.receipt]).toEqual([false, false]);
    expect(await sendPool({ form, photo })).toEqual(second);
    // A message has one photo.
    expect(await sendPool({ form, photo: other })).toEqual({ ...second, isMissing: true });
    expect([(await list()).length, (await listPhotos()).length]).toEqual([before.messages + 2, before.photos + 1]);
    const closedForm = { form: await openForm(server, pool), words: 'The light is out' };
    const { receipt } = await sendPool(closedForm);
    await server.db.updateTable('guest_messages').set({ closed_at: new Date().toISOString() }).execute();
    expect(await sendPool({ ...closedForm, photo })).toEqual({ receipt, isMissing: true });
    expect(await listPhotos()).toHaveLength(before.photos + 1);
  });

  test('a form without a kind, words or a photo is shown again, and an unknown kind is not stored', async () => {
    const before = (await list()).length;
    const empty = await sendForm(server, label, { words: ' ', hurt: 'no', photo: new Blob([]) });
    // A browser sends an empty file without a name; one with a name is a photo.
    expect(empty.status).toBe(303);
    const nothing = await sendForm(server, label, { words: ' ', hurt: 'no' });
    expect(nothing.status).toBe(400);
    expect(await nothing.text()).toContain(pageTexts.nothing.en);
    expect((await sendForm(server, label, { kind: 'Meteor', hurt: 'hurt' })).status).toBe(303);
    expect((await sendForm(server, label, { words: 'x'.repeat(3000) })).status).toBe(303);
    const added = (await list()).slice(before);
    expect(added.map(({ kind, hurt, words }) => [kind, hurt, words.length])).toEqual([
      [null, 'no', 0],
      [null, 'hurt', 0],
      [null, null, 500],
    ]);
  });

  test('what was typed and chosen is still there in the other language, and nothing of it is stored', async () => {
    const before = (await list()).length;
    const english = await read(`/h/${label}`);
    const formId = await openForm(server, label);
    const [, address, type = ''] =
      /<button form="message" formaction="(\?lang=cy)" formenctype="([^"]+)"/.exec(english) ?? [];
    const change = (fields: Record<string, string>, code = label) =>
      fetch(`${server.guestUrl}/h/${code}${address}`, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': type },
      });
    const typed = {
      ...{ form: formId, kind: 'Fire', words: 'Smoke\r\n</textarea><script>', hurt: 'nearly' },
      ...{ name: '"Siân"', contact: '01745 1', photo: 'IMG_0001.jpg' },
    };
    const response = await change(typed);
    expect([response.status, new URL(response.url).search]).toEqual([200, '?lang=cy']);
    const welsh = await response.text();
    expect(welsh).toContain('<html lang="cy">');
    for (const part of [
      `name="form" value="${formId}"`,
      'value="Fire" checked',
      'value="nearly" checked',
      '>Smoke\n&#60;/textarea&#62;&#60;script&#62;</textarea>',
      '<details open>',
      'value="&#34;Siân&#34;"',
      'value="01745 1"',
    ])
      expect(welsh).toContain(part);
    expect(welsh.match(/ checked/g)).toHaveLength(2);
    const invented = await (await change({ form: '"><b>', kind: 'Meteor', words: '\0' })).text();
    expect(invented).toMatch(/name="form" value="[a-z2-7]{26}"/);
    expect(invented).not.toMatch(/ checked|<details open|<b>/);
    expect((await change({ words: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await change(typed, 'unknown')).status).toBe(404);
    expect((await list()).length).toBe(before);
    // An incomplete form is shown again with what was entered.
    const empty = await (await sendForm(server, label, { hurt: 'no', name: 'Siân' })).text();
    expect(empty).toContain('value="no" checked');
    expect(empty).toContain('value="Siân"');
  });

  test('a form sent for a replaced label says what to do instead, keeps what was typed and shows nothing of the place', async () => {
    const name = 'Behind the laundry';
    const replaced = await addLabel(server, park, name);
    const form = await openForm(server, replaced);
    const { id = '' } = (await admin(api.listPlaces)).find((place) => place.label === replaced) ?? {};
    await admin(api.changeLabel, { params: { id }, body: { isOn: true } });
    const before = (await list()).length;
    const typed = { form, kind: 'Fire', words: 'Smoke\n<b>', name: 'Siân', contact: '01745 1', photo };
    const response = await sendForm(server, replaced, typed);
    const page = await response.text();
    expect(response.status).toBe(404);
    for (const text of [pageTexts.notSent, pageTexts.newLabel, pageTexts.tellUs, pageTexts.youWrote])
      expect(page).toContain(text.en);
    expect(page).not.toContain(pageTexts.tryAgain.en);
    expect(page).toMatch(/<textarea name="words"[^>]* readonly>Smoke\n&#60;b&#62;<\/textarea>/);
    expect(page).toMatch(/<input name="name" value="Siân" readonly>.*<input name="contact" value="01745 1" readonly>/s);
    expect(page).not.toContain(name);
    expect(await (await sendForm(server, 'unknown', typed)).text()).toBe(page);
    const { photo: _, ...fields } = typed;
    expect(await (await sendForm(server, replaced, fields)).text()).toBe(page);
    const welsh = await fetch(`${server.guestUrl}/h/${replaced}?lang=cy`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    expect([welsh.status, await welsh.text()]).toEqual([404, expect.stringMatching(/readonly>Smoke.*Siân.*01745 1/s)]);
    const empty = await (await sendForm(server, replaced, { kind: 'Fire' })).text();
    expect(empty).toContain(pageTexts.newLabel.en);
    expect(empty).not.toContain('<form');
    expect((await list()).length).toBe(before);
    expect(await (await sendForm(server, label, { words: '' })).text()).not.toContain(pageTexts.newLabel.en);
  });

  test('a message whose place is joined into another while its form arrives is stored there, and its receipt works', async () => {
    const typed = { form: await openForm(server, label), words: 'The cover of the drain is loose' };
    const [here, into] = [await addLabel(server, park, 'Paddling pool'), await addLabel(server, park, 'Splash zone')];
    const getPlaces = async () => await admin(api.listPlaces);
    const idOf = async (code: string) => (await getPlaces()).find((place) => place.label === code)?.id ?? '';
    const target = await idOf(into);
    const arriving = beginForm(server, here, typed);
    await isReceiving();
    await admin(api.joinPlaces, { params: { id: await idOf(here) }, body: { into: target } });
    const response = await arriving.finish();
    expect(response.status).toBe(303);
    const shown = (await admin(api.listMessages)).find(({ words }) => words === typed.words);
    expect(shown?.place).toEqual({ id: target, name: 'Splash zone' });
    expect((await list()).find(({ words }) => words === typed.words)?.place_id).toBe(target);
    expect(await read(response.location)).toContain('<strong>Splash zone</strong>');
    // However it came about, no message is hidden because of its place.
    const set = (place_id: string) =>
      server.db.updateTable('guest_messages').set({ place_id }).where('words', '=', typed.words).execute();
    const joined = await server.db.selectFrom('places').select('id').where('joined_into', '=', target).execute();
    await set(joined[0]?.id ?? '');
    const open = () => admin(api.getMessage, { params: { id: shown?.id ?? '' } });
    expect((await open()).place).toEqual({ id: target, name: 'Splash zone' });
    await set('gone');
    expect((await open()).place).toEqual({ id: 'gone', name: 'Place not known' });
    expect((await admin(api.listMessages)).map(({ id }) => id)).toContain(shown?.id);
    expect((await get(response.location)).status).toBe(200);
  });

  test('a message whose place is retired while its form arrives is not stored, and its text comes back', async () => {
    const code = await addLabel(server, park, 'Old slide');
    const id = (await admin(api.listPlaces)).find((place) => place.label === code)?.id ?? '';
    const arriving = beginForm(server, code, { words: 'A sharp edge' });
    await isReceiving();
    await admin(api.updatePlace, { params: { id }, body: { isRetired: true } });
    const response = await arriving.finish();
    expect([response.status, response.text]).toEqual([404, expect.stringContaining('A sharp edge</textarea>')]);
  });

  test('unknown, replaced, retired and switched-off labels lead to one page with 999 and the numbers of parks', async () => {
    const codes = [
      await addLabel(server, park, 'Old'),
      await addLabel(server, park, 'Bar'),
      'unknown',
      '%00',
      // An invalid percent encoding, and two that are not UTF-8.
      ...['%', '%ff', '%c3%28'],
      '',
      'r/unknown',
      'r/%ff',
    ];
    const places = await admin(api.listPlaces);
    const getId = (code = '') => places.find((place) => place.label === code)?.id ?? '';
    await admin(api.updatePlace, { params: { id: getId(codes[0]) }, body: { isRetired: true } });
    await admin(api.changeLabel, { params: { id: getId(codes[1]) }, body: { isOn: true } });
    await admin(api.saveParkSettings, { body: { park, guestTelephone: '01745 123456', gasTelephone: '0800 111 999' } });
    const form = await read(`/h/${label}`);
    expect(form).toContain('then the park: <a href="tel:01745123456">01745 123456</a>');
    expect(form).toContain('<a href="tel:0800111999">0800 111 999</a>');
    const general = await read('/h/unknown');
    expect(general).toContain(`${park}: <a href="tel:01745123456">`);
    expect(general).toContain('<a href="tel:999">999</a>');
    await admin(api.saveParkSettings, { body: { park, takesMessages: false } });
    const other = await addLabel(server, 'Mounds', 'Lido');
    expect(await read(`/h/${other}`)).toContain('name="form"');
    expect(await read(`/h/${label}`)).toBe(general);
    await admin(api.switchMessages, { body: { isOn: false } });
    for (const code of [...codes, label, other]) {
      const response = await get(`/h/${code}`);
      expect([code, response.status, await response.text()]).toEqual([code, 404, general]);
    }
    const before = (await list()).length;
    const rejected = await sendForm(server, label, { words: 'Is anyone there?' });
    expect([rejected.status, (await list()).length]).toEqual([404, before]);
    expect(await rejected.text()).toContain(pageTexts.notSent.en);
    await admin(api.switchMessages, { body: { isOn: true } });
    expect(await read(`/h/${label}`)).toContain('name="form"');
  });

  test('only an Admin can switch messages off, for the parks that they see', async () => {
    const manager = await server.as('Health & Safety Manager');
    await expect(manager(api.switchMessages, { body: { isOn: false } })).rejects.toMatchObject({ status: 403 });
    const ofMounds = await server.as('Admin', 'Mounds');
    await ofMounds(api.switchMessages, { body: { isOn: false } });
    expect(await read(`/h/${label}`)).toContain('name="form"');
    const settings = await admin(api.listParkSettings);
    expect(settings.filter(({ takesMessages }) => !takesMessages).map((one) => one.park)).toEqual(['Mounds']);
    await admin(api.switchMessages, { body: { isOn: true } });
  });

  test('addresses outside /h/ and forms of other sites are rejected', async () => {
    for (const path of [
      '/',
      '/h',
      '/login',
      '/api/protected',
      '/uploads/a.jpg',
      '/sw.js',
      '/healthz',
      '/openapi.json',
      '/%ff',
    ]) {
      const response = await get(path, { cookie: admin.cookie });
      expect([path, response.status, await response.text()]).toEqual([path, 404, 'Not found']);
    }
    const before = (await list()).length;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const body = new FormData();
      body.set('words', 'From elsewhere');
      const response = await fetch(`${server.guestUrl}/h/${label}`, {
        method: 'POST',
        body,
        headers: new Headers(headers as never),
      });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain(pageTexts.notSent.en);
    }
    expect(await list()).toHaveLength(before);
    expect((await admin.fetch(`/h/${label}`)).headers.get('content-type')).not.toContain('name="form"');
  });
});
