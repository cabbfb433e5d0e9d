// A child that does what its test tells it to.
import { existsSync, writeFileSync } from 'node:fs';
import { answer } from './child.ts';

export type Order = { do: 'pid' | 'throw' | 'exit' | 'exit once' | 'hang' | 'grow' | 'env'; name?: string };

const kept: Buffer[] = [];

answer<Order, string | number | undefined>((order) => {
  if (order.do === 'throw') throw new Error('no such luck');
  if (order.do === 'exit') process.exit(1);
  if (order.do === 'exit once' && !existsSync(order.name ?? '')) {
    writeFileSync(order.name ?? '', '');
    process.exit(1);
  }
  if (order.do === 'env') return process.env[order.name ?? ''];
  if (order.do === 'hang') return new Promise<never>(() => setInterval(() => {}, 1000));
  if (order.do === 'grow')
    return new Promise<never>(() => setInterval(() => kept.push(Buffer.alloc(8 * 2 ** 20, 1)), 5));
  return process.pid;
});
