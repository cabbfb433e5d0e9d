import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { describeAppKey, generateAppCode, generateAppKey } from './app-codes.ts';

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
