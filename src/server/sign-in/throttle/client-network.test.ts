import { expect, test } from 'vitest';
import { getClientNetwork } from './client-network.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:0:12::1', '2001:db8:0:12'],
  ['2001:0db8:0000:0012:aaaa:bbbb:cccc:dddd', '2001:db8:0:12'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the client network of %s is %s', (ip, network) => {
  expect(getClientNetwork(ip)).toBe(network);
});
