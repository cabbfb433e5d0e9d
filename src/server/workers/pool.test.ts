import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import type { TestJob } from './pool.test-child.ts';
import { createPool, JobError, type Pool, type PoolOptions, type QueueOptions } from './pool.ts';

type TestPool = Pool<TestJob, string | number | undefined>;
const pools: TestPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function makePool(options: Partial<PoolOptions> = {}): TestPool {
  const script = new URL('./pool.test-child.ts', import.meta.url);
  const pool: TestPool = createPool({ script, size: 1, maxWaiting: 10, timeoutMs: 10_000, ...options });
  pools.push(pool);
  return pool;
}

/** Creates a pool of one child process that records the names of finished jobs in order. */
function recordOrder() {
  const pool = makePool();
  const done: string[] = [];
  const run = async (name: string, queueOptions: QueueOptions) => {
    await pool.run({ do: 'pid' }, queueOptions);
    done.push(name);
  };
  return { run, done };
}

const isAlive = (pid: unknown) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

test('a child process whose job failed runs the next job', async () => {
  const pool = makePool();
  const pid = await pool.run({ do: 'pid' });
  await expect(pool.run({ do: 'throw' })).rejects.toEqual(new JobError('The job failed'));
  expect(await pool.run({ do: 'pid' })).toBe(pid);
});

test('a pool runs as many child processes at once as its size allows', async () => {
  const pool = makePool({ size: 2 });
  const pids = await Promise.all([1, 2, 3, 4].map(() => pool.run({ do: 'pid' })));
  expect(new Set(pids).size).toBe(2);
});

test('waiting jobs run by priority, then in order of arrival', async () => {
  const { run, done } = recordOrder();
  const jobs = { 'under way': 2, a: 2, b: 1, c: 2, d: 0, e: 1 };
  await Promise.all(Object.entries(jobs).map(([name, priority]) => run(name, { priority })));
  expect(done).toEqual(['under way', 'd', 'b', 'e', 'a', 'c']);
});

test('many waiting jobs of one user do not delay the jobs of another user', async () => {
  const { run, done } = recordOrder();
  const manyJobs = Array.from({ length: 6 }, (_, at) => run(`many ${at}`, { user: 'many' }));
  await Promise.all([...manyJobs, run('one 0', { user: 'one' }), run('one 1', { user: 'one' })]);
  expect(done).toEqual(['many 0', 'many 1', 'one 0', 'many 2', 'one 1', 'many 3', 'many 4', 'many 5']);
});

test("a waiting job's turn comes before new jobs of users who are not waiting", async () => {
  const { run, done } = recordOrder();
  /** Sends one job after another, each when the previous one has finished. */
  async function sendInTurn(user: string) {
    for (let job = 0; job < 4; job++) await run(`${user} ${job}`, { user });
  }
  const underWay = run('under way', { user: 'c' });
  const jobsOfTwo = [run('two 0', { user: 'two' }), run('two 1', { user: 'two' })];
  await Promise.all([underWay, ...jobsOfTwo, sendInTurn('a'), sendInTurn('b')]);
  expect(done.slice(0, 5)).toEqual(['under way', 'two 0', 'a 0', 'b 0', 'two 1']);
});

test('light jobs run before heavy ones, which leave one child process free for them', async () => {
  const pool = makePool({ size: 2 });
  const hangingJobs = ['a', 'b'].map((user) => pool.run({ do: 'hang' }, { user, isHeavy: true }));
  const jobResults = Promise.allSettled(hangingJobs);
  expect(await pool.run({ do: 'pid' }, { user: 'a' })).toBeTypeOf('number');
  await pool.close();
  await jobResults;
});

test('the user with most jobs in a full queue gets a 503 with a retry time', async () => {
  const pool = makePool({ maxWaiting: 2 });
  const job = { do: 'pid' } as const;
  const jobsOfBusyUser = Promise.allSettled([1, 2, 3].map(() => pool.run(job, { user: 'many' })));
  const jobOfOtherUser = pool.run(job, { user: 'one' });
  expect((await jobsOfBusyUser).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect((await jobsOfBusyUser)[2]).toMatchObject({ reason: { status: 503, details: { retryAfter: 5 } } });
  await jobOfOtherUser;
});

test('a pool without a queue accepts a job when a child is free', async () => {
  const pool = makePool({ maxWaiting: 0 });
  expect(await pool.run({ do: 'pid' })).toBe(await pool.run({ do: 'pid' }));
});

test('a job whose child process died is retried by a new one', async () => {
  const pool = makePool();
  const pid = await pool.run({ do: 'pid' });
  const folder = createTestFolder(onTestFinished);
  expect(await pool.run({ do: 'exit once', name: join(folder, 'mark') })).not.toBe(pid);
});

test('a job fails if its second child process dies too, and other jobs continue', async () => {
  const pool = makePool();
  const [died, next] = await Promise.allSettled([pool.run({ do: 'exit' }), pool.run({ do: 'pid' })]);
  expect(died).toMatchObject({ status: 'rejected', reason: { reason: 'killed', isChildLost: true } });
  expect(next.status).toBe('fulfilled');
});

test('a child process that hangs is killed after its timeout', async () => {
  const pool = makePool({ timeoutMs: 2000 });
  await expect(pool.run({ do: 'hang' })).rejects.toMatchObject({ reason: 'timeout', isChildLost: true });
  expect(await pool.run({ do: 'pid' })).toBeTypeOf('number');
});

test.runIf(process.platform === 'linux')('a child process beyond its memory limit is killed', async () => {
  const pool = makePool({ maxBytes: 200 * 2 ** 20 });
  await expect(pool.run({ do: 'grow' })).rejects.toMatchObject({ reason: 'killed', isChildLost: true });
  expect(await pool.run({ do: 'pid' })).toBeTypeOf('number');
});

test.runIf(process.platform === 'linux')(
  'a child process that holds a third of its memory limit is replaced',
  async () => {
    const pool = makePool({ maxBytes: 600 * 2 ** 20 });
    const pid = await pool.run({ do: 'pid' });
    expect(await pool.run({ do: 'hold' })).toBe(pid);
    expect(await pool.run({ do: 'pid' })).not.toBe(pid);
  },
);

test('an aborted job leaves the queue, or ends its child process if it has started', async () => {
  const pool = makePool({ timeoutMs: 60_000 });
  const controller = new AbortController();
  const { signal } = controller;
  const hangingJobs = Promise.allSettled([1, 2].map(() => pool.run({ do: 'hang' }, { signal })));
  const next = pool.run({ do: 'pid' });
  controller.abort();
  expect(await hangingJobs).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
  expect(await next).toBeTypeOf('number');
});

test('an idle child process is ended, and the next job starts a new one', async () => {
  const pool = makePool({ idleMs: 20 });
  const pid = await pool.run({ do: 'pid' });
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await pool.run({ do: 'pid' })).not.toBe(pid);
});

test('no job is lost to a child process that is being ended', async () => {
  const pool = makePool({ idleMs: 1 });
  for (let at = 0; at < 15; at++) {
    await pool.run({ do: 'pid' });
    await new Promise((resolve) => setTimeout(resolve, 1)); // until about the moment when the idle child process is ended
  }
});

test('closing a pool ends its child processes, rejects waiting jobs and starts no more', async () => {
  const pool = makePool();
  const pid = await pool.run({ do: 'pid' });
  const jobResults = Promise.allSettled([pool.run({ do: 'hang' }), pool.run({ do: 'pid' }), pool.run({ do: 'pid' })]);
  await pool.close();
  expect(isAlive(pid)).toBe(false);
  for (const outcome of await jobResults) expect(outcome).toMatchObject({ reason: { status: 503 } });
  await expect(pool.run({ do: 'pid' })).rejects.toMatchObject({ status: 503 });
});

test('the environment of a child process has only the given variables', async () => {
  process.env.DATABASE_URL = 'postgres://secret';
  const pool = makePool({ env: { GIVEN: 'yes' } });
  expect(await pool.run({ do: 'env', name: 'DATABASE_URL' })).toBeUndefined();
  expect(await pool.run({ do: 'env', name: 'GIVEN' })).toBe('yes');
});
