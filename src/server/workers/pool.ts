// Heavy native work (images, PDFs) runs in child processes: a crash, a hang or a memory bomb there never reaches the web thread.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HttpError } from '../errors/http-error.ts';
import { createFairQueue } from './fair-queue.ts';

export type PoolOptions = {
  /** The child's program. It calls `answer()` of `child.ts`. */
  script: URL;
  /** Children at once, and jobs that may wait for one. Of a full queue, whoever has most in it gives way with 503. */
  size: number;
  queue: number;
  /** From the start of the work, waiting not counted. */
  timeoutMs: number;
  /** A child that grows past this many bytes while at work is killed. Watched on Linux only. */
  maxBytes?: number;
  /** A child with nothing to do for this long is let go. */
  idleMs?: number;
  /** All that the child sees of the environment beyond the basics: passwords of the database stay with the parent. */
  env?: NodeJS.ProcessEnv;
};

/** Where a job stands among those that wait. */
export type Place = {
  /** Whose job it is: users take turns. */
  user?: string | undefined;
  /** The lowest first. */
  priority?: number;
  /** After light ones of its priority, and never on all children at once. */
  isHeavy?: boolean;
};

export type Pool<Job, Result> = {
  /**
   * Resolves with the child's answer. A job whose child died or ran out of time is done once more, by a fresh child. Rejects with
   * JobError (the work itself failed, or its child died or took too long twice) or Refusal 503 (queue full, or closed).
   */
  run(job: Job, place?: Place): Promise<Result>;
  /** Kills every child. What waited or was under way is refused with 503. */
  close(): Promise<void>;
};

/** The work could not be done: `reason` is what the child said of it, `killed`, or `timeout`. */
export class JobError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job failed: ${reason}`);
    this.reason = reason;
  }
  /** Whether it was the child that died or took too long, and not the work that failed. */
  get isChildLost() {
    return this.reason === 'killed' || this.reason === 'timeout';
  }
}

type Task<Job, Result> = Required<Place> & {
  job: Job;
  /** Done a second time, because the first child died or took too long. */
  isRetry: boolean;
  resolve(result: Result): void;
  reject(error: Error): void;
};
type JobReply<Result> = { result: Result } | { error: string };

const basics = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'LANG', 'SystemRoot'];

export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const { size, queue, timeoutMs, maxBytes = Infinity, idleMs = 60_000 } = options;
  const env = { ...Object.fromEntries(basics.map((name) => [name, process.env[name]])), ...options.env };
  const waiting = createFairQueue<Task<Job, Result>>();
  let heavyActive = 0;
  const idle: ChildProcess[] = [];
  const children = new Set<ChildProcess>();
  const leaving = new Map<ChildProcess, NodeJS.Timeout>();
  let closed = false;

  /** Refuses with 503 when the machine has no more files, processes or memory to give. */
  function start() {
    const child = forkNow();
    children.add(child);
    child.once('exit', () => forget(child));
    // One listener stays for good: an `error` nobody hears would end the whole server.
    child.on('error', () => dismiss(child));
    if (child.pid === undefined) throw createBusyError();
    return child;
  }

  function forkNow() {
    try {
      return fork(fileURLToPath(options.script), { serialization: 'advanced', env, execArgv: [] });
    } catch (cause) {
      throw Object.assign(createBusyError(), { cause });
    }
  }

  function forget(child: ChildProcess) {
    children.delete(child);
    notIdle(child);
    next();
  }

  /** Ends a child. It takes no further job, and keeps its place among `size` until it is gone. */
  function dismiss(child: ChildProcess) {
    notIdle(child);
    if (child.pid === undefined) forget(child);
    else child.kill('SIGKILL');
  }

  function notIdle(child: ChildProcess) {
    const at = idle.indexOf(child);
    if (at >= 0) idle.splice(at, 1);
    clearTimeout(leaving.get(child));
    leaving.delete(child);
  }

  function next() {
    while (!closed && hasFreeChild()) {
      const task = waiting.take(({ isHeavy }) => !isHeavy || heavyActive < Math.max(1, size - 1));
      if (!task) return;
      const [unused] = idle;
      // A retry is for a fresh child; where there is no place for one, an idle child leaves first.
      if (task.isRetry && unused && children.size >= size) {
        waiting.add(task, 'first');
        return dismiss(unused);
      }
      try {
        const child = (task.isRetry ? undefined : idle.at(-1)) ?? start();
        notIdle(child);
        work(child, task);
      } catch (error) {
        task.reject(error as Error);
      }
    }
  }

  const hasFreeChild = () => idle.length > 0 || children.size < size;

  function work(child: ChildProcess, task: Task<Job, Result>) {
    let reason = 'killed';
    if (task.isHeavy) heavyActive += 1;
    const timer = setTimeout(() => {
      reason = 'timeout';
      dismiss(child);
    }, timeoutMs);
    const watch = setInterval(() => residentBytes(child) > maxBytes && dismiss(child), 50);
    const settle = () => {
      if (task.isHeavy) heavyActive -= 1;
      clearTimeout(timer);
      clearInterval(watch);
      child.off('message', done);
      child.off('exit', died);
      child.off('error', died);
    };
    const done = (answer: JobReply<Result>) => {
      settle();
      rest(child);
      if ('error' in answer) task.reject(new JobError(answer.error));
      else task.resolve(answer.result);
      next();
    };
    const died = () => {
      settle();
      if (closed) task.reject(createBusyError());
      else if (task.isRetry) task.reject(new JobError(reason));
      else waiting.add({ ...task, isRetry: true }, 'first');
      next();
    };
    child.on('message', done);
    child.on('exit', died);
    child.on('error', died);
    child.send(task.job as object);
  }

  function rest(child: ChildProcess) {
    if (child.killed) return;
    // Memory that a big job left behind must not be held against the next one.
    if (residentBytes(child) > maxBytes / 2) return dismiss(child);
    idle.push(child);
    leaving.set(child, setTimeout(dismiss, idleMs, child).unref());
  }

  return {
    run(job, { user = '', priority = 0, isHeavy = false } = {}) {
      if (closed) return Promise.reject(createBusyError());
      return new Promise((resolve, reject) => {
        waiting.add({ job, user, priority, isHeavy, isRetry: false, resolve, reject });
        next();
        if (waiting.size() > queue) waiting.removeFromLongest()?.reject(createBusyError());
      });
    },
    async close() {
      closed = true;
      for (const task of waiting.removeAll()) task.reject(createBusyError());
      await Promise.all(
        [...children].map((child) => {
          const gone = child.pid && new Promise((resolve) => child.once('exit', resolve));
          dismiss(child);
          return gone;
        }),
      );
    },
  };
}

const createBusyError = () =>
  new HttpError(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 });

function residentBytes(child: ChildProcess) {
  if (process.platform !== 'linux') return 0;
  try {
    // Read at once: a later answer could hit a child that has moved on to the next job.
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
