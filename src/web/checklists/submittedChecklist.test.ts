// Photos of failing answers, from the draft to the item that waits.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { writeRecords } from '../database/database.ts';
import { createDraftFile } from '../drafts/draftStore.ts';
import { findItem, insertItem, listItems } from '../outbox/items.ts';
import { createChecklistSubmission, findFailurePhoto, listLocalSubmissions } from './submittedChecklist.ts';

const checklist = {
  ...{ id: 'gates', version: 1, title: 'Gates' },
  sections: [{ title: 'Gate locked?', type: 'na' as const, required: true }],
};
const user = { id: 'huw', username: 'huw' };
const failures = { 0: { note: 'Hinge is broken', mediaFiles: [{ id: 'photo', name: 'hinge.jpg' }] } };
const create = (more = {}) => createChecklistSubmission(checklist, { 0: 'No' }, user, 'key', { failures, ...more });

beforeEach(async () => {
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  await createDraftFile('photo').save(new File(['bytes'], 'hinge.jpg', { type: 'image/jpeg' }));
});

test('a rejected checklist can be corrected with its photos even after its draft has expired', async () => {
  const { item } = await insertItem({ ...(await create()), createdAt: 1, capturedAt: '2026-03-14T14:05:00Z' });
  await createDraftFile('photo').delete();
  const [photo] = (await create({ rejected: item })).files;
  expect(photo).toMatchObject({ id: 'photo', slot: 'photo', section: '0' });
  expect(await photo?.file.text()).toBe('bytes');
  // The form shows the photo of the waiting item.
  expect((await findFailurePhoto('photo', item))?.name).toBe('hinge.jpg');
  expect(await findFailurePhoto('photo', undefined)).toBeUndefined();
});

test('a checklist with a photo that the browser has deleted cannot be submitted without a message', async () => {
  await createDraftFile('photo').delete();
  await expect(create()).rejects.toThrow('The photo hinge.jpg is no longer on this device.');
});

test('a waiting checklist of an earlier version belongs to its place, and so does its correction', async () => {
  const { place: _, ...earlier } = await create({ place: { id: 'pool', name: 'Pool', park: 'Mounds' } });
  // Earlier versions named only the checklist in the form.
  const times = { createdAt: 1, capturedAt: '2026-03-14T14:05:00Z' };
  await insertItem({ ...earlier, form: 'checklist/gates', park: 'Mounds', ...times });
  const items = await listItems();
  expect(listLocalSubmissions({ items, receipts: [] })).toMatchObject([{ checklistId: 'gates', placeId: 'pool' }]);
  for (const rejected of [...items, await findItem('key')])
    expect(await create({ rejected })).toMatchObject({ form: 'checklist/gates/pool', body: { placeId: 'pool' } });
});

test('a checklist says which place it is from, the park as a whole, or nothing if no one was asked', async () => {
  const place = { id: 'pool', name: 'Pool', park: 'Mounds' };
  expect(await create({ place })).toMatchObject({
    form: 'checklist/gates/pool',
    place: 'Pool',
    body: { placeId: 'pool' },
  });
  expect(await create({ place: null })).toMatchObject({ form: 'checklist/gates', body: { placeId: null } });
  expect((await create()).body).not.toHaveProperty('placeId');
});
