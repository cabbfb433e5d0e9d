// What a write transaction checks before it writes: whether the request has timed out, and whether
// the same request was handled since it arrived. The handler waits until the test lets it write.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contract } from '#shared/api.ts';
import { parseConfig } from '../config.ts';
import { Replay } from '../db/idempotency.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { handleRequest } from './handle-request.ts';
import type { Services } from './handler-context.ts';

describe.each(engines)('a write transaction on %s', (engine) => {
  let writes = 0;
  /** Handlers that have begun, each with the function that lets it write. */
  const waiting: (() => void)[] = [];
  let outcomes: Promise<unknown>[] = [];
  const { server, manager } = createTestServer(engine, { ANSWER_SECONDS: '1' }, undefined, async (fastify) => {
    fastify.post('/waits', (request, reply) => {
      const outcome = handleRequest(
        { db: server.running.db, config: parseConfig({}), space: { check: async () => {} } } as unknown as Services,
        {
          ...{ name: 'createChecklist', endpoint: contract.createChecklist, request, reply, now: new Date() },
          parsed: { params: {}, query: undefined, body: {}, file: undefined },
          async handler({ writeTransaction }) {
            await new Promise<void>((resolve) => waiting.push(resolve));
            return writeTransaction(async () => ({ id: 'written', writes: ++writes }));
          },
        },
      );
      outcomes.push(outcome);
      return outcome.then((result) => (result instanceof Replay ? { replayed: result.body } : result));
    });
  });

  const send = (key: string) =>
    manager.fetch('/waits', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: '{}',
    });
  const takeHandlers = async (count: number) => {
    await expect.poll(() => waiting.length, { interval: 10 }).toBe(count);
    return waiting.splice(0);
  };

  test('a request that arrives twice at once writes once, and the second gets the stored reply', async () => {
    const key = randomUUID();
    const responses = [send(key), send(key)];
    for (const letWrite of await takeHandlers(2)) letWrite();
    const bodies = await Promise.all(responses.map(async (response) => (await response).json()));
    expect(bodies).toEqual(
      expect.arrayContaining([{ id: 'written', writes: 1 }, { replayed: '{"id":"written","writes":1}' }]),
    );
    expect(writes).toBe(1);
  });

  test('a request that has timed out writes nothing afterwards', async () => {
    const [before, key] = [writes, randomUUID()];
    outcomes = [];
    const response = await send(key);
    expect(response.status).toBe(503);
    for (const letWrite of await takeHandlers(1)) letWrite();
    await expect(outcomes[0]).rejects.toMatchObject({ status: 503 });
    expect(writes).toBe(before);
  });
});
