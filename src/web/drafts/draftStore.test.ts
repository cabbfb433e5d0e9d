import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { readRecords, writeRecords } from './database.ts';
import { createDraft } from './draftStore.ts';

test('a draft of the first version is deleted with its submission, even if it was not changed', async () => {
  const stored = { key: 'sian/accident', value: { values: { name: 'Ellie' } }, keptAt: Date.now() };
  await writeRecords({ put: [stored] });
  const draft = createDraft('sian', 'accident');
  expect(await draft.find()).toEqual(stored.value);
  // The write of a submission deletes these keys.
  await writeRecords({ delete: draft.keys });
  expect(await draft.find()).toBeUndefined();
  expect(await readRecords('')).toEqual([]);
});
