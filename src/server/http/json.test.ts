import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

const limits = { bytes: 6e6, entries: 500, list: 500 };
const splitIntoChunks = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
const read = (text: string, size = 64 * 1024) => {
  const bytes = Buffer.from(text);
  return parseJson(Readable.from(splitIntoChunks(bytes, size)), String(bytes.length), limits);
};

test('JSON within the limits parses like JSON.parse, however it is chunked', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '[', ',', ':', '}', ']', 'ŵ', '😀', '\n') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  }));
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 9 }), async (value, size) => {
      const json = JSON.stringify(value);
      expect(await read(json, size)).toEqual(JSON.parse(json));
    }),
  );
});

test('a JSON body is rejected at the first entry beyond the limit, before the rest arrives', async () => {
  let chunks = 0;
  async function* endless() {
    yield Buffer.from('{"data":{');
    for (;;) {
      chunks += 1;
      yield Buffer.from('"a":1,'.repeat(100));
    }
  }
  await expect(parseJson(Readable.from(endless(), { objectMode: false }), undefined, limits)).rejects.toMatchObject({
    status: 413,
  });
  expect(chunks).toBeLessThan(100);
});

test('a JSON body with a Content-Length beyond the limit is rejected before a byte is read', async () => {
  const bodyNeverRead = new Readable({ read: () => expect.unreachable() });
  await expect(parseJson(bodyNeverRead, '6000001', limits)).rejects.toMatchObject({ status: 413 });
});
