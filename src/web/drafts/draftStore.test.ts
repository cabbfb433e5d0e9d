import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { createDraft, createDraftWithMedia } from './draftStore.ts';

test('a draft saved while the photo of an earlier save is still being read is not overwritten', async () => {
  const draft = createDraft<{ details: string; photo?: Blob }>('sian', 'incident');
  const reading = Promise.withResolvers<ArrayBuffer>();
  const photo = new Blob(['photo']);
  photo.arrayBuffer = () => reading.promise;
  draft.save({ details: 'Fell', photo });
  draft.save({ details: 'Fell by the slide' });
  await expect.poll(() => draft.find()).toEqual({ details: 'Fell by the slide' });
  reading.resolve(new ArrayBuffer(5));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(await draft.find()).toEqual({ details: 'Fell by the slide' });
});

test('a draft that an earlier version stored with its photos keeps them when more is typed', async () => {
  const photos = [{ id: 'one', file: new File(['bytes'], 'one.jpg') }];
  createDraft('sian', 'report-hazard').save({ location: 'Slide', photos });
  const draft = createDraftWithMedia<{ location: string; photos: typeof photos }>('sian', 'report-hazard');
  await expect.poll(() => draft.find()).toMatchObject({ location: 'Slide', photos: [{ id: 'one' }] });
  const found = await draft.find();
  draft.save({ location: 'Slide steps', photos: found?.photos ?? [] });
  const again = createDraftWithMedia<{ photos: typeof photos }>('sian', 'report-hazard');
  await expect.poll(() => again.find()).toMatchObject({ location: 'Slide steps', photos: [{ id: 'one' }] });
  expect(await (await again.find())?.photos?.[0]?.file.text()).toBe('bytes');
});

test('typing does not store the photos of a draft again, and removing the last one does', async () => {
  const draft = createDraftWithMedia<{ location: string; photos: object[] }>('sian', 'create-audit/one');
  const photos = [{ id: 'one' }];
  draft.save({ location: 'P', photos });
  await expect.poll(() => draft.find()).toEqual({ location: 'P', photos });
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  draft.save({ location: 'Pool', photos });
  await expect.poll(() => draft.find()).toEqual({ location: 'Pool', photos });
  expect(put.mock.calls.map(([record]) => record.key)).toEqual(['draft/sian/create-audit/one']);
  draft.save({ location: 'Pool', photos: [] });
  await expect.poll(() => draft.find()).toEqual({ location: 'Pool', photos: [] });
});
