import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { outboxPrefix, writeRecords } from '../database/database.ts';
import { newReportItem } from './fakeServer.test-helper.ts';
import { insertItem } from './items.ts';
import { readLabelledFiles } from './listContent.ts';

test('each file of an item keeps its label when another one is missing on the device', async () => {
  const { item } = await insertItem(newReportItem());
  await writeRecords({ delete: [`${outboxPrefix}file/${item.id}/b`] });
  const files = await readLabelledFiles(item);
  expect(files.map(({ label, file }) => [label, file?.name])).toEqual([
    ['Photo 1, one.jpg', 'one.jpg'],
    ['Photo 2, two.jpg', undefined],
    ['Photo 3, three.jpg', 'three.jpg'],
    ['Signature of the person completing the form', 'signature.png'],
    ['Affected party signature', 'affected.png'],
  ]);
});
