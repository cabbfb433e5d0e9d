import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import type { Secrets } from '../../secrets/secrets.ts';
import { engines, startTestServer } from '../../testing/server.ts';
import { consumeAppCode, describeAppKey, generateAppCode, generateAppKey, insertAppKey } from './app-codes.ts';

test('codes match the test vectors of RFC 6238, cut to six digits', () => {
  const key = Secret.fromUTF8('12345678901234567890').base32;
  const vectors = {
    59: '287082',
    1111111109: '081804',
    1111111111: '050471',
    1234567890: '005924',
    2000000000: '279037',
    20000000000: '353130',
  };
  for (const [seconds, code] of Object.entries(vectors))
    expect(generateAppCode(key, new Date(Number(seconds) * 1000))).toBe(code);
});

test('a key is described as a link that apps read, with operator and user, and as a picture of a QR code', () => {
  const key = generateAppKey();
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  const { link, qrCode } = describeAppKey(key, 'siân', 'Holiday Parks');
  const url = new URL(link);
  expect(decodeURIComponent(url.pathname)).toContain('Holiday Parks:siân');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ issuer: 'Holiday Parks', secret: key, algorithm: 'SHA1', digits: '6', period: '30' },
  });
  const [type, bytes = ''] = qrCode.split(',');
  expect(type).toBe('data:image/svg+xml;base64');
  expect(Buffer.from(bytes, 'base64').toString()).toMatch(/^<svg /);
});

test.each(engines)(
  'a code used while the clock was ahead refuses no other code, and does not work when its time comes, on %s',
  async (engine) => {
    const { db, stop } = await startTestServer(engine);
    const secrets = {
      encrypt: (text: string) => text,
      decrypt: (text: string) => text,
      hash: () => Buffer.from(''),
    } as Secrets;
    const key = generateAppKey();
    const start = Date.parse('2026-03-10T09:00:00Z');
    await insertAppKey(db, secrets, 'sian', key, new Date(start));
    const use = (minutes: number) => {
      const now = new Date(start + minutes * 60_000);
      const code = generateAppCode(key, now);
      return consumeAppCode(db, secrets, { userId: 'sian', code, isConfirmed: false }, now);
    };
    expect([await use(0), await use(0)]).toEqual(['right', 'expired']);
    expect([await use(60), await use(61)]).toEqual(['right', 'right']);
    // The clock was set back.
    expect([await use(0), await use(1), await use(1)]).toEqual(['expired', 'right', 'expired']);
    expect([await use(60), await use(60.5), await use(61)]).toEqual(['expired', 'right', 'expired']);
    // A new key has other codes.
    await insertAppKey(db, secrets, 'sian', key, new Date(start));
    expect(await use(0)).toBe('right');
    await stop();
  },
);
