// Malformed forms that no browser sends: rejected without a server error, and nothing of them is
// stored.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { photo, uploadPhoto } from '../testing/factories.ts';
import { formEnd, formFile, formHead, formPart } from '../testing/forms.ts';
import { createRawRequest, openRawConnection, type RawResponse } from '../testing/raw.ts';
import { createTestServer } from '../testing/test-server.ts';

let image: Buffer;
let before: { temporary: string[]; stored: string[]; rows: number };
const { server } = createTestServer('sqlite', { UPLOADS_PER_DAY: '100000' });
const staff = server.user('None');
beforeAll(async () => {
  image = await photo();
  await uploadPhoto(staff);
});

async function readUploads() {
  const files = readdirSync(join(server.folder, 'uploads'), { recursive: true, encoding: 'utf8' });
  const { rows } = await server.db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  // A library might leave received files in the system's temporary folder.
  const temporary = readdirSync(tmpdir()).filter((name) => /busboy|multipart|upload/i.test(name));
  const temporaryFiles = readdirSync(join(server.folder, 'temporary'));
  return { temporary: [...temporary, ...temporaryFiles], stored: files.toSorted(), rows };
}
/** Remembers what is stored now. Temporary files may still be about to be deleted. */
const rememberUploads = async () => {
  before = { ...(await readUploads()), temporary: [] };
};
beforeEach(rememberUploads);
/** Expects that rejected forms left no files or rows, and that the next request works. */
async function expectNothingLeft() {
  // The server may notice the closed connection only after the test.
  await expect.poll(readUploads).toEqual(before);
  await staff(api.getSession);
}

const head = (boundary?: string, length = 0, client = staff) => formHead(client.cookie, length, boundary);
const part = (disposition: string, content: string | Buffer = image, headers?: string) =>
  formPart(disposition, content, headers);
const end = formEnd;
const file = (content: string | Buffer = image) => formFile(content);
const field = (name: string, value = 'x') => part(`form-data; name="${name}"`, value, '');

/**
 * Sends a form and returns the response. If the server waited for more bytes, it would respond with
 * 408 at last.
 */
async function send(body: Buffer, boundary?: string, length = body.length): Promise<RawResponse> {
  const connection = openRawConnection(server.url);
  connection.write(head(boundary, length));
  connection.write(body);
  if (length !== body.length) connection.socket.end();
  try {
    return await connection.readResponse();
  } finally {
    connection.socket.destroy();
  }
}

const createWholeForm = () => Buffer.concat([file(), end]);
test('a complete form is accepted', async () => {
  const { status, body } = await send(createWholeForm());
  expect([status, JSON.parse(body)]).toMatchObject([200, { success: true, fileName: 'a.jpg', fileType: 'image/jpeg' }]);
});

describe('an invalid form', () => {
  afterEach(expectNothingLeft);

  const forms: [string, () => Buffer, string?][] = [
    ['with nothing in it', () => Buffer.alloc(0)],
    ['with no part', () => end],
    ['with a field in place of the file', () => Buffer.concat([field('image', 'abc'), end])],
    ['with the file in another field', () => Buffer.concat([part('form-data; name="photo"; filename="a.jpg"'), end])],
    ['with the file in a field without a name', () => Buffer.concat([part('form-data; filename="a.jpg"'), end])],
    ['with a second file', () => Buffer.concat([file(), file(), end])],
    ['with a third file', () => Buffer.concat([file(), file(), file(), end])],
    [
      'with a second file in another field',
      () => Buffer.concat([file(), part('form-data; name="b"; filename="b"'), end]),
    ],
    [
      'with a second file before the right one',
      () => Buffer.concat([part('form-data; name="b"; filename="b"'), file(), end]),
    ],
    ['with a second file of 3 MB', () => Buffer.concat([file(), file(Buffer.alloc(3e6, 1)), end])],
    ['with 7 fields', () => Buffer.concat([...'abcdefg'].map((name) => field(name)).concat(file(), end))],
    [
      'with 1,000 fields',
      () => Buffer.concat([...Array.from({ length: 1000 }, (_, at) => field(`f${at}`)), file(), end]),
    ],
    ['with 1,000 files', () => Buffer.concat([...Array.from({ length: 1000 }, () => file('x')), end])],
    ['with a field of 17 KiB', () => Buffer.concat([field('note', 'a'.repeat(17 * 1024)), file(), end])],
    ['with a field named __proto__', () => Buffer.concat([field('__proto__'), file(), end])],
    ['with a field named constructor', () => Buffer.concat([field('constructor'), file(), end])],
    [
      'with a file in a field named __proto__',
      () => Buffer.concat([part('form-data; name="__proto__"; filename="a"'), end]),
    ],
    [
      'with a field that claims to be JSON',
      () => Buffer.concat([part('form-data; name="a"', '{', 'Content-Type: application/json\r\n'), file(), end]),
    ],
    ['with an empty file', () => Buffer.concat([file(''), end])],
    ['without a closing line', () => file()],
    ['with a field twice', () => Buffer.concat([field('note'), field('note'), file(), end])],
    [
      'with a field that is not UTF-8',
      () => Buffer.concat([part('form-data; name="note"', Buffer.from([0xff, 0xfe]), ''), file(), end]),
    ],
    ['with half a closing line', () => Buffer.concat([file(), Buffer.from('--xyz')])],
    ['with another boundary inside', createWholeForm, 'other'],
    ['with an empty boundary', createWholeForm, ''],
    [
      'with a boundary of 71 characters',
      () => Buffer.from(createWholeForm().toString('latin1').replaceAll('xyz', 'x'.repeat(71)), 'latin1'),
      'x'.repeat(71),
    ],
    ['with a boundary of 2,000 characters', createWholeForm, 'x'.repeat(2000)],
    ['with a quoted boundary of 71 characters', createWholeForm, `"${'x'.repeat(71)}"`],
    [
      'with a header without a colon',
      () => Buffer.concat([Buffer.from('--xyz\r\nContent-Disposition\r\n\r\nx\r\n'), end]),
    ],
    ['with no headers at all', () => Buffer.concat([Buffer.from('--xyz\r\n\r\nx\r\n'), end])],
    [
      'with 1,000 headers in a part',
      () => Buffer.concat([part('form-data; name="image"; filename="a"', 'x', 'X: y\r\n'.repeat(1000)), end]),
    ],
    [
      'with a header of 100 KB in a part',
      () => Buffer.concat([part('form-data; name="image"; filename="a"', 'x', `X: ${'y'.repeat(100_000)}\r\n`), end]),
    ],
    [
      'with a name of 100 KB',
      () => Buffer.concat([part(`form-data; name="${'n'.repeat(100_000)}"; filename="a"`), end]),
    ],
    [
      'with a form inside the form',
      () =>
        Buffer.concat([
          part(
            'form-data; name="image"',
            createWholeForm().toString('latin1').replaceAll('xyz', 'abc'),
            'Content-Type: multipart/mixed; boundary=abc\r\n',
          ),
          end,
        ]),
    ],
    ['with an invalid Content-Disposition', () => Buffer.concat([part('attachment; name="image"; filename="a"'), end])],
    ['with bare line ends', () => Buffer.from(createWholeForm().toString('latin1').replaceAll('\r\n', '\n'), 'latin1')],
    ['of random bytes', () => Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251))],
    ['of one endless line of dashes', () => Buffer.alloc(200_000, '-')],
    ['of nothing but opening lines', () => Buffer.alloc(200_000, '--xyz\r\n')],
  ];
  test.each(forms)('a form %s is rejected', async (_, body, boundary) => {
    const { status, headers, body: text } = await send(body(), boundary);
    expect([status, text]).toEqual([expect.toBeOneOf([400, 415]), expect.stringContaining('"success":false')]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text).message).toMatch(
      /^(The form could not be read|Only image files are supported|The request could not be read|Send one file, in the field "image"|The image is empty|This contains a character that cannot be stored)$/,
    );
  });

  test('a form without a boundary is rejected', async () => {
    const connection = openRawConnection(server.url);
    connection.write(
      createRawRequest(
        `POST /api/upload/image HTTP/1.1\nCookie: ${staff.cookie}\nContent-Type: multipart/form-data\nContent-Length: ${createWholeForm().length}`,
      ),
    );
    connection.write(createWholeForm());
    expect((await connection.readResponse()).status).toBe(400);
    connection.socket.destroy();
  });

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'image/jpeg', ''])(
    'a form sent with the Content-Type "%s" is rejected',
    async (type) => {
      const response = await staff.fetch('/api/upload/image', {
        method: 'POST',
        body: type === 'application/json' ? '{}' : new Uint8Array(createWholeForm()),
        headers: type ? { 'content-type': type } : {},
      });
      expect(response.status).toBe(415);
    },
  );

  test('a form with a photo over 10 MB or a signature over 1 MB is rejected', async () => {
    const large = (bytes: number) => new Blob([new Uint8Array(image), new Uint8Array(bytes)]);
    await expect(staff(api.uploadImage, { file: large(10 * 1024 * 1024) })).rejects.toMatchObject({
      status: 413,
      message: 'Image is too large (max 10 MB)',
      code: 'FILE_TOO_LARGE',
    });
    await expect(
      staff(api.uploadImage, { file: large(1024 * 1024), query: { use: 'signature' } }),
    ).rejects.toMatchObject({ status: 413, message: 'Image is too large (max 1 MB)', code: 'FILE_TOO_LARGE' });
  });
});

describe('a truncated form', () => {
  afterEach(expectNothingLeft);
  const small = () =>
    Buffer.concat([
      field('note', 'a'.repeat(300)),
      part('form-data; name="image"; filename="a.jpg"', 'b'.repeat(300)),
      end,
    ]);

  test('a form that its Content-Length ends too early is rejected, wherever it ends', async () => {
    const cutLengths = Array.from({ length: small().length - 4 }, (_, at) => at).filter((at) => at % 7 === 0);
    for (let at = 0; at < cutLengths.length; at += 10)
      await Promise.all(
        cutLengths.slice(at, at + 10).map(async (length) => {
          const { status } = await send(small().subarray(0, length));
          expect([length, status]).toEqual([length, 400]);
        }),
      );
  });

  test('a form cut off by a closed connection leaves no file or row, wherever it ends', async () => {
    const cutLengths = Array.from({ length: small().length }, (_, at) => at).filter((at) => at % 13 === 0);
    await Promise.all(
      cutLengths.map(async (length) => {
        const connection = openRawConnection(server.url);
        connection.write(head('xyz', small().length));
        connection.write(small().subarray(0, length));
        connection.socket.end();
        await connection.closed;
      }),
    );
  });

  test('forms cut off by 32 clients at once do not affect other uploads', async () => {
    const bigUpload = Buffer.concat([file(Buffer.alloc(400_000, 1)), end]);
    const connections = Array.from({ length: 32 }, () => openRawConnection(server.url));
    for (const connection of connections) {
      connection.write(head('xyz', bigUpload.length));
      connection.write(bigUpload.subarray(0, 200_000));
    }
    await staff(api.getSession); // after this response the server is reading the uploads
    for (const connection of connections) connection.socket.resetAndDestroy();
    const paths = await Promise.all(Array.from({ length: 8 }, () => uploadPhoto(staff)));
    expect(new Set(paths).size).toBe(8);
    await rememberUploads();
  });

  test('a form with a wrong Content-Length is rejected', async () => {
    const wrongLengthReply = await send(createWholeForm(), 'xyz', createWholeForm().length + 100).catch(
      () => undefined,
    );
    expect(wrongLengthReply?.status ?? 400).toBe(400);
    const connection = openRawConnection(server.url);
    connection.write(head('xyz', createWholeForm().length - 20));
    connection.write(createWholeForm());
    expect((await connection.readResponse()).status).toBe(400);
    expect((await connection.readResponse().catch(() => undefined))?.status ?? 400).toBe(400); // the rest of the form is not a valid request
    connection.socket.destroy();
  });
});

test("32 slow uploads of one user delay that user's next upload, but nobody else's", async () => {
  const greedyUser = await server.as('None');
  const connections = Array.from({ length: 32 }, () => openRawConnection(server.url));
  let answeredCount = 0;
  for (const connection of connections) {
    connection.write(head('xyz', 10 * 1024 * 1024, greedyUser));
    connection.write(file().subarray(0, 200));
    connection.readResponse().then(
      () => (answeredCount += 1),
      () => undefined,
    );
  }
  await uploadPhoto(staff);
  expect(answeredCount).toBe(0); // the server receives 4 uploads, and the others wait
  for (const connection of connections) connection.socket.destroy();
  await Promise.all(connections.map((connection) => connection.closed));
  await uploadPhoto(greedyUser);
});

test("a user's fifth upload is not read until one of the other four has finished", async () => {
  const busy = await server.as('None');
  const connections = Array.from({ length: 4 }, () => openRawConnection(server.url));
  for (const connection of connections) {
    connection.write(head('xyz', createWholeForm().length, busy));
    connection.write(createWholeForm().subarray(0, 100));
  }
  await busy(api.getSession);
  const fifthUpload = uploadPhoto(busy);
  const isDone = await Promise.race([fifthUpload.then(() => true), busy(api.getSession).then(() => false)]);
  expect(isDone).toBe(false);
  connections[0]?.write(createWholeForm().subarray(100));
  expect((await connections[0]?.readResponse())?.status).toBe(200);
  await fifthUpload;
  for (const connection of connections) connection.socket.destroy();
});

test('a connection stays usable after a rejected form', async () => {
  const body = Buffer.concat([part('form-data; name="wrong"; filename="a"', Buffer.alloc(2_000_000, 1)), file(), end]);
  const connection = openRawConnection(server.url);
  connection.write(head('xyz', body.length));
  connection.write(body);
  connection.write(createRawRequest(`GET /api/protected HTTP/1.1\nCookie: ${staff.cookie}`));
  expect((await connection.readResponse()).status).toBe(400);
  expect((await connection.readResponse()).status).toBe(200);
  connection.socket.destroy();
});

test('the file name of an upload is only a label, whatever it contains', async () => {
  const labels: [string, string][] = [
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="a\\"b.jpg"', 'a"b.jpg'],
    ['filename="C:\\\\fakepath\\\\pool.jpg"', 'pool.jpg'],
    ['filename="a%0d%0aSet-Cookie: x=1.jpg"', 'a%0d%0aSet-Cookie: x=1.jpg'],
    ['filename="a\u0000b\u0007\u009b.jpg"', 'ab.jpg'],
    ['filename="<script>alert(1)</script>.jpg"', 'script>.jpg'],
    [`filename="${'Ŵ'.repeat(300)}"`, 'Ŵ'.repeat(255)],
    ['filename="a.jpg"; filename="b.php"', 'a.jpg'],
  ];
  for (const [name, label] of labels) {
    const body = Buffer.concat([part(`form-data; name="image"; ${name}`), end]);
    const { status, headers, body: text } = await send(body);
    expect([name, status]).toEqual([name, 200]);
    const { fileName, filePath } = JSON.parse(text);
    expect([name, fileName]).toEqual([name, label]);
    expect(Object.keys(headers)).not.toContain('set-cookie');
    const shown = await staff.fetch(filePath);
    expect(shown.headers.get('content-disposition')).toBe(
      `inline; filename="${filePath.slice('/uploads/2026/01/'.length)}"`,
    );
  }
});
