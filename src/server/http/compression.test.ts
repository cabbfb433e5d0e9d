import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newUsername } from '../testing/access-records.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server, admin } = createTestServer('sqlite');

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
])(
  'to a client that accepts %s, a long reply and a streamed list are sent as %s',
  async (accepted, encoding, decode) => {
    const read = async (path: string) => {
      const headers = { cookie: admin.cookie, 'accept-encoding': accepted };
      const [response] = (await once(request(new URL(path, server.url), { headers }).end(), 'response')) as [
        IncomingMessage,
      ];
      const bytes = Buffer.concat(await response.toArray());
      expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, encoding]);
      return JSON.parse(decode(bytes).toString());
    };
    const params = { id: 'riddor-2013-v2' };
    expect(await read('/api/riddor/rules/riddor-2013-v2')).toEqual(await admin(api.getRuleSet, { params }));
    const names = Array.from({ length: 40 }, () => newUsername());
    await admin(api.importUsers, { body: { csv: names.map((name) => `${name},None,Lido Beach`).join('\n') } });
    expect(await read(api.listActivity.path)).toEqual(await admin(api.listActivity));
  },
);
