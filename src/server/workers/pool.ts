// Heavy native work (images, PDFs) runs in child processes: a crash, a hang or a memory bomb there never reaches the web thread.
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../http/errors.ts';

export type PoolOptions = {
  /** The child's program. It calls `answer()` of `child.ts`. */
  script: URL;
  /** Children at once, and jobs that may wait for one; a further job is refused with 503. */
  size: number;
  queue: number;
  timeoutMs: number;
  /** A child that grows past this many bytes while at work is killed. Watched on Linux only. */
  maxBytes?: number;
  /** A child with nothing to do for this long is let go. */
  idleMs?: number;
  env?: NodeJS.ProcessEnv;
};

export type Pool<Job, Result> = {
  /** Resolves with the child's answer. Rejects with JobFailed (the work itself failed, its child died, or took too long) or Refusal 503 (queue full). */
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
};

/** The work could not be done: `reason` is what the child said of it, `killed`, or `timeout`. */
export class JobFailed extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job failed: ${reason}`);
    this.reason = reason;
  }
}

type Task<Job, Result> = { job: Job; resolve(result: Result): void; reject(error: Error): void };
type Answer<Result> = { result: Result } | { error: string };

export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const { size, queue, timeoutMs, maxBytes, idleMs = 60_000 } = options;
  const waiting: Task<Job, Result>[] = [];
  const idle: ChildProcess[] = [];
  const children = new Set<ChildProcess>();
  const leaving = new Map<ChildProcess, NodeJS.Timeout>();
  let closed = false;

  function start() {
    const child = fork(fileURLToPath(options.script), {
      serialization: 'advanced',
      env: { ...process.env, ...options.env },
    });
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
      clearTimeout(leaving.get(child));
      leaving.delete(child);
    });
    return child;
  }

  function next() {
    while (waiting.length > 0) {
      const child = idle.pop() ?? (children.size < size ? start() : undefined);
      if (!child) return;
      clearTimeout(leaving.get(child));
      work(child, waiting.shift() as Task<Job, Result>);
    }
  }

  function work(child: ChildProcess, task: Task<Job, Result>) {
    let reason = 'killed';
    const stop = (why: string) => {
      reason = why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, timeoutMs, 'timeout');
    const watch = maxBytes
      ? setInterval(async () => (await residentBytes(child)) > maxBytes && stop('killed'), 50)
      : undefined;
    const settle = () => {
      clearTimeout(timer);
      clearInterval(watch);
      child.off('message', done);
      child.off('exit', died);
      child.off('error', died);
    };
    const done = (answer: Answer<Result>) => {
      settle();
      idle.push(child);
      leaving.set(child, setTimeout(() => child.kill(), idleMs).unref());
      if ('error' in answer) task.reject(new JobFailed(answer.error));
      else task.resolve(answer.result);
      next();
    };
    const died = () => {
      settle();
      children.delete(child);
      task.reject(new JobFailed(reason));
      next();
    };
    child.on('message', done);
    child.on('exit', died);
    child.on('error', died);
    child.send(task.job as object);
  }

  return {
    run(job) {
      if (closed || waiting.length >= queue)
        return Promise.reject(new Refusal(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 }));
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      await Promise.all(
        [...children].map((child) => {
          const gone = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return gone;
        }),
      );
    },
  };
}

async function residentBytes(child: ChildProcess) {
  if (process.platform !== 'linux') return 0;
  const statm = await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '0 0');
  return Number(statm.split(' ')[1]) * 4096;
}
