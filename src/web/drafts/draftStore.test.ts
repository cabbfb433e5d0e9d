import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createDraft } from './draftStore.ts';

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
