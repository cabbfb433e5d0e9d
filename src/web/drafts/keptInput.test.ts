import 'fake-indexeddb/auto';
import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRecords, type StoredRecord, writeRecords } from '../database/database.ts';
import { type FormName, formNames, type Keep } from '../formNames.ts';
import { foundForms, markAsOpened, openForms, storeTypedInput, typedInput } from '../ui/forms/typedInput.ts';
import { createDraft } from './draftStore.ts';
import { keepTypedInput } from './keptInput.ts';

const text = 'The pool gate was open when Ellie ran in';
const stops: (() => void)[] = [];
let keys: Record<string, string>;
let status = 200;

/** Signs a user in: the server gives their session the key. */
function signIn(user: string) {
  vi.stubGlobal('fetch', async () => Response.json(status === 200 ? { key: keys[user] } : { message: '' }, { status }));
  stops.push(keepTypedInput(user));
}
/** Closes the page: only the browser's database is left. */
function closePage() {
  for (const stop of stops.splice(0)) stop();
  typedInput.set({});
  openForms.set({});
  foundForms.set([]);
}
const listStored = () => readRecords<StoredRecord & { keptAt: number }>('sealed/');
const type = (values: object, { name = 'note on 1', keep = 'sealed' as Keep } = {}) =>
  storeTypedInput(name, { values, keep });
const readTyped = (name = 'note on 1') => typedInput.get()[name]?.values;

beforeEach(async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  status = 200;
  keys = Object.fromEntries(
    ['sian', 'huw'].map((user, index) => [user, btoa(String.fromCharCode(...Array(32).fill(index)))]),
  );
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  signIn('sian');
});
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

test('what was typed is brought back after the page was closed, with its photos, and only to its user', async () => {
  const photo = new File([new Uint8Array([1, 2, 3])], 'gate.jpg', { type: 'image/jpeg' });
  type({ text, photos: [{ id: 'a', photo }], day: null });
  await expect.poll(listStored).toHaveLength(1);
  const [stored] = await listStored();
  const toText = (_: string, value: unknown) =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value;
  expect(JSON.stringify(stored, toText).length).toBeGreaterThan(text.length);
  expect(JSON.stringify(stored, toText)).not.toContain('Ellie');
  closePage();
  signIn('huw');
  type({ text: 'Mine' });
  await expect.poll(listStored).toHaveLength(2);
  expect(readTyped()).toEqual({ text: 'Mine' });
  closePage();
  signIn('sian');
  await expect.poll(() => readTyped()).toMatchObject({ text, photos: [{ id: 'a' }], day: null });
  const [{ photo: found }] = Object(readTyped()).photos;
  expect(found).toMatchObject({ name: 'gate.jpg', type: 'image/jpeg' });
  expect([...(await found.bytes())]).toEqual([1, 2, 3]);
});

test('what is typed into each form of the list is brought back, and what its name says is kept nowhere is stored nowhere', async () => {
  setMaxListeners(0, document);
  const names = Object.values(formNames).map((toName) => (toName as (...ids: string[]) => FormName)('1', '2', '3'));
  for (const { name, keep } of names) type({ text: `${text} ${name}` }, { name, keep });
  const keptNames = names.filter(({ keep }) => keep !== 'nothing').map(({ name }) => name);
  await expect.poll(() => readRecords(''), { timeout: 5000 }).toHaveLength(keptNames.length);
  const keys = (await readRecords('')).map(({ key }) => key.replace(/^(draft|sealed)\/sian\//, ''));
  expect(keys.toSorted()).toEqual(keptNames.toSorted());
  closePage();
  signIn('sian');
  // It has many photos, so it is read when it is opened.
  const audit = formNames.auditEdits('1');
  const others = keptNames.filter((name) => name !== audit.name);
  await expect.poll(() => Object.keys(typedInput.get()).toSorted(), { timeout: 5000 }).toEqual(others.toSorted());
  expect(foundForms.get()).toEqual([]);
  markAsOpened(audit);
  await expect.poll(foundForms.get).toEqual([audit.name]);
  for (const name of keptNames) expect(readTyped(name)).toEqual({ text: `${text} ${name}` });
});

test('drafts that an earlier version stored are brought back and deleted once they are saved, and those of other forms stay', async () => {
  closePage();
  const folder = { folder: { id: '1' }, values: { name: 'Beach' }, isOpen: true };
  const drafts = {
    checklists: [{ key: '1', start: { title: '', sections: [] }, typed: { title: 'Pool', sections: [] } }],
    'folder/2': { folder: { id: '2' }, values: { name: 'Spa' }, isOpen: false },
    'new folder': { values: { name: 'Slide' }, thumbnail: '/uploads/slide.png', isOpen: false },
    'verification/7': { text: 'Looks safe' },
  };
  for (const [name, values] of Object.entries({ ...drafts, folder, accident: { text }, 'create-audit/7': { text } }))
    createDraft('sian', name).save(values);
  await expect.poll(() => readRecords('draft/sian/')).toHaveLength(7);
  signIn('sian');
  // Earlier versions had one name for the dialogs of all folders.
  const found = { ...drafts, 'folder/1': folder };
  await expect.poll(() => Object.keys(typedInput.get()).toSorted()).toEqual(Object.keys(found).toSorted());
  for (const [name, values] of Object.entries(found)) expect(readTyped(name)).toEqual(values);
  for (const name of Object.keys(found)) markAsOpened({ name, keep: 'device' });
  for (const name of Object.keys(found)) storeTypedInput(name, undefined);
  const listKeys = async () => (await readRecords('draft/sian/')).map(({ key }) => key);
  await expect.poll(listKeys).toEqual(['draft/sian/accident', 'draft/sian/create-audit/7']);
});

test('what was typed before the key arrived is kept, and replaces what was kept before', async () => {
  type({ text: 'Before' });
  await expect.poll(listStored).toHaveLength(1);
  const [before] = await listStored();
  closePage();
  type({ text });
  signIn('sian');
  await expect.poll(listStored).not.toEqual([before]);
  closePage();
  signIn('sian');
  await expect.poll(() => readTyped()).toEqual({ text });
});

test('input is deleted when it was sent or discarded, after 14 days, and when its key is gone', async () => {
  type({ text });
  await expect.poll(listStored).toHaveLength(1);
  storeTypedInput('note on 1', undefined);
  await expect.poll(listStored).toEqual([]);
  for (const makeUseless of [
    async () => {
      const [record] = await listStored();
      await writeRecords({ put: [{ ...record, keptAt: Date.now() - 15 * 24 * 60 * 60_000 } as StoredRecord] });
    },
    async () => {
      keys.sian = keys.huw ?? '';
    },
  ]) {
    type({ text });
    await expect.poll(listStored).toHaveLength(1);
    closePage();
    await makeUseless();
    signIn('sian');
    await expect.poll(listStored).toEqual([]);
    expect(readTyped()).toBeUndefined();
  }
});

test('a form with secrets and a session without a key keep nothing', async () => {
  type({ text }, { keep: 'nothing', name: 'password' });
  type({ text });
  await expect.poll(listStored).toHaveLength(1);
  expect((await listStored())[0]?.key).toContain('note');
  closePage();
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  status = 403;
  signIn('sian');
  type({ text });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(await listStored()).toEqual([]);
});

test('input for the device is kept for a session without a key, under the key of the drafts of earlier releases', async () => {
  closePage();
  const draft = { key: 'draft/sian/verification/1', format: 2, value: { text, photos: [] }, keptAt: Date.now() };
  const report = { ...draft, key: 'draft/sian/accident' };
  await writeRecords({ put: [draft, report] });
  status = 403;
  signIn('sian');
  await expect.poll(() => readTyped('verification/1')).toEqual({ text, photos: [] });
  expect(Object.keys(typedInput.get())).toEqual(['verification/1']);
  type({ text: 'The latch closes', photos: [] }, { keep: 'device', name: 'verification/1' });
  await expect.poll(() => readRecords('draft/')).not.toContainEqual(draft);
  closePage();
  signIn('sian');
  await expect.poll(() => readTyped('verification/1')).toEqual({ text: 'The latch closes', photos: [] });
  storeTypedInput('verification/1', undefined);
  await expect.poll(() => readRecords('draft/')).toEqual([report]);
});

test('what another tab has kept since a form was left is shown when it is opened again, and nothing is waited for without it', async () => {
  const audit = formNames.auditEdits('7');
  const close = markAsOpened(audit);
  await expect.poll(foundForms.get).toEqual([audit.name]);
  close();
  expect(foundForms.get()).toEqual([]);
  createDraft('sian', audit.name).save({ text });
  await expect.poll(() => readRecords('draft/')).toHaveLength(1);
  markAsOpened(audit);
  await expect.poll(foundForms.get).toEqual([audit.name]);
  expect(readTyped(audit.name)).toEqual({ text });
});

/** Opens another tab of this browser: it shares only the database and the locks. */
async function openTab() {
  vi.resetModules();
  const { inputElsewhere, markAsOpened, markAsUsed, storeTypedInput, typedInput } = await import(
    '../ui/forms/typedInput.ts'
  );
  const tab = await import('./keptInput.ts');
  stops.push(tab.keepTypedInput('sian'));
  return {
    type: (text: string) => storeTypedInput('note on 1', { values: { text }, keep: 'sealed' }),
    discard: () => storeTypedInput('note on 1', undefined),
    read: () => typedInput.get()['note on 1']?.values,
    open: () => markAsOpened({ name: 'note on 1', keep: 'sealed' }),
    use: () => markAsUsed({ name: 'note on 1', keep: 'sealed' }),
    isElsewhere: () => 'note on 1' in inputElsewhere.get(),
    takeOver: () => inputElsewhere.get()['note on 1']?.(),
  };
}

/** Opens two tabs, and waits until they have found nothing. */
async function openTwoTabs() {
  const tabs = [await openTab(), await openTab()] as const;
  for (const tab of tabs) {
    tab.type('Sent');
    await expect.poll(listStored).toHaveLength(1);
    tab.discard();
    await expect.poll(listStored).toEqual([]);
  }
  return tabs;
}

test('one tab at a time has the input of a form; another one says so, takes it over, and gets it when it is free', async () => {
  const [first, second] = await openTwoTabs();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  second.type('E');
  await expect.poll(second.isElsewhere).toBe(true);
  expect(first.read()).toEqual({ text });
  const third = await openTab();
  await expect.poll(third.read).toEqual({ text });
  third.open();
  await expect.poll(third.isElsewhere).toBe(true);

  second.takeOver();
  await expect.poll(second.read).toEqual({ text });
  await expect.poll(first.isElsewhere).toBe(true);
  expect([first.read(), second.isElsewhere()]).toEqual([undefined, false]);
  second.type('Longer');
  second.discard();
  await expect.poll(() => first.isElsewhere() || third.isElsewhere()).toBe(false);
  await expect.poll(() => first.isElsewhere() || third.isElsewhere()).toBe(false);
  expect([first.read(), third.read()]).toEqual([undefined, undefined]);
  expect(await listStored()).toEqual([]);
});

test('input that moves to another tab and back without a change is still there', async () => {
  const [first, second] = await openTwoTabs();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  second.open();
  await expect.poll(second.isElsewhere).toBe(true);
  for (const [to, from] of [
    [second, first],
    [first, second],
    [second, first],
  ] as const) {
    to.takeOver();
    await expect.poll(() => [to.isElsewhere(), from.isElsewhere()], { timeout: 5000 }).toEqual([false, true]);
    await expect.poll(to.read, { timeout: 5000 }).toEqual({ text });
  }
  expect(await listStored()).toHaveLength(1);
});

test('input that was typed before the key arrived comes back from the tab that has taken it over', async () => {
  const first = await openTab();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  const second = await openTab();
  await expect.poll(second.read).toEqual({ text });
  second.open();
  await expect.poll(second.isElsewhere).toBe(true);
  second.takeOver();
  await expect.poll(() => [first.isElsewhere(), second.isElsewhere()]).toEqual([true, false]);
  stops.at(-1)?.();
  await expect.poll(first.read).toEqual({ text });
});

test('the input of a form that was opened before the key arrived is kept and deleted', async () => {
  const first = await openTab();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  stops.at(-1)?.();
  const second = await openTab();
  second.open();
  await expect.poll(second.read).toEqual({ text });
  second.discard();
  await expect.poll(listStored).toEqual([]);
});

test('what another tab has sent since it was brought back is not shown again', async () => {
  const first = await openTab();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  const second = await openTab();
  await expect.poll(second.read).toEqual({ text });
  first.discard();
  await expect.poll(listStored).toEqual([]);
  second.open();
  await expect.poll(second.read).toBeUndefined();
  expect(second.isElsewhere()).toBe(false);
});

test('input of a tab that was closed is shown instead of what another tab begins to type', async () => {
  const [first, second] = await openTwoTabs();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  stops.at(-2)?.();
  second.type('E');
  await expect.poll(second.read).toEqual({ text });
});

test('what was typed before another tab was found to have the form is kept once that tab has sent its input', async () => {
  const [first, second] = await openTwoTabs();
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  second.type('E');
  await expect.poll(second.isElsewhere).toBe(true);
  first.discard();
  await expect.poll(second.isElsewhere).toBe(false);
  await expect.poll(listStored).toHaveLength(1);
  expect(second.read()).toEqual({ text: 'E' });
});

test('a tab that uses a form has it before something is typed, until it is closed', async () => {
  const [first, second] = await openTwoTabs();
  const close = first.open();
  first.use();
  second.open();
  await expect.poll(second.isElsewhere).toBe(true);
  first.type(text);
  await expect.poll(listStored).toHaveLength(1);
  first.discard();
  await expect.poll(listStored).toEqual([]);
  // A turn in which the lock would be given up.
  await new Promise(setImmediate);
  expect(second.isElsewhere()).toBe(true);
  close();
  await expect.poll(second.isElsewhere).toBe(false);
  second.use();
  const third = await openTab();
  third.open();
  await expect.poll(third.isElsewhere).toBe(true);
});

test('a tab that has taken over a form keeps it that it uses although nothing is typed in it', async () => {
  const [first, second] = await openTwoTabs();
  first.open();
  first.use();
  second.open();
  await expect.poll(second.isElsewhere).toBe(true);
  second.use();
  second.takeOver();
  await expect.poll(first.isElsewhere).toBe(true);
  await expect.poll(second.isElsewhere).toBe(false);
  // Turns in which the lock would be given up.
  for (let turn = 0; turn < 5; turn += 1) await listStored().then(() => new Promise(setImmediate));
  expect([first.isElsewhere(), second.isElsewhere()]).toEqual([true, false]);
});
