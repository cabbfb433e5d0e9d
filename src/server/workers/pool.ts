// Runs heavy native work (images, PDFs) in child processes, so that crashes, hangs and memory bombs
// never reach the server's thread.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createBusyError } from '../errors/http-error.ts';
import { createFairQueue } from './fair-queue.ts';

export type PoolOptions = {
  /** The child's program, which calls `handleJobs()` of child.ts. */
  script: URL;
  /** The maximum number of child processes. */
  size: number;
  /**
   * The maximum number of waiting jobs. If more wait, the last job of the user with most waiting
   * jobs is rejected with 503.
   */
  maxWaiting: number;
  /** The maximum time of a job from the start of its work. */
  timeoutMs: number;
  /** Kills a child that uses more memory than this. Linux only. */
  maxBytes?: number;
  /** Ends a child idle for this long. */
  idleMs?: number;
  /** The child's environment beyond the basics, so that it sees no database password. */
  env?: NodeJS.ProcessEnv;
};

/** Decides a job's place in the queue. */
export type QueueOptions = {
  /** The job's user: users take turns. */
  user?: string | undefined;
  /** Lowest first. */
  priority?: number;
  /** Heavy jobs run after light jobs of the same priority, and never on all children at once. */
  isHeavy?: boolean;
  /** Aborts when nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
};

export type Pool<Job, Result> = {
  /**
   * Resolves with the child's result. A job whose child died or timed out is retried once by a new
   * child. Rejects with JobError (the work failed, or its child died or timed out twice) or
   * HttpError 503 (queue full, closed, or aborted).
   */
  run(job: Job, queueOptions?: QueueOptions): Promise<Result>;
  /** Kills every child. Waiting and running jobs get a 503. */
  close(): Promise<void>;
};

/** The work failed: `reason` is the child's message, `killed` or `timeout`. */
export class JobError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job failed: ${reason}`);
    this.reason = reason;
  }
  /** Whether the child died or timed out, rather than the work failing. */
  get isChildLost() {
    return this.reason === 'killed' || this.reason === 'timeout';
  }
}

type Task<Job, Result> = Required<Omit<QueueOptions, 'signal'>> &
  Pick<QueueOptions, 'signal'> & {
    job: Job;
    /** Whether this is the second attempt, because the first child died or timed out. */
    isRetry: boolean;
    resolve(result: Result): void;
    reject(error: Error): void;
  };
type JobReply<Result> = { result: Result } | { error: string };

/**
 * Makes the C library return freed memory to the system at once. Measurements show no cost in CPU
 * time.
 */
const mallocSettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

const baseEnvironment = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'LANG', 'SystemRoot', 'NODE_COMPILE_CACHE'];

export function createPool<Job, Result>(options: PoolOptions): Pool<Job, Result> {
  const { size, maxWaiting, timeoutMs, maxBytes = Infinity, idleMs = 60_000 } = options;
  const env = {
    ...Object.fromEntries(baseEnvironment.map((name) => [name, process.env[name]])),
    ...mallocSettings,
    ...options.env,
  };
  const waiting = createFairQueue<Task<Job, Result>>();
  let activeHeavyJobs = 0;
  const idle: ChildProcess[] = [];
  const children = new Set<ChildProcess>();
  const endingChildren = new Map<ChildProcess, NodeJS.Timeout>();
  let isClosed = false;

  /** Throws 503 if the machine has no files, processes or memory left. */
  function start() {
    const child = forkOrThrow();
    children.add(child);
    child.once('exit', () => removeChild(child));
    // Keep one listener: an unhandled `error` event would end the whole server.
    child.on('error', () => endChild(child));
    if (child.pid === undefined) throw createBusyError();
    return child;
  }

  function forkOrThrow() {
    try {
      return fork(fileURLToPath(options.script), { serialization: 'advanced', env, execArgv: [] });
    } catch (cause) {
      throw Object.assign(createBusyError(), { cause });
    }
  }

  function removeChild(child: ChildProcess) {
    children.delete(child);
    removeFromIdle(child);
    next();
  }

  /** Ends a child. It takes no further job, and counts towards `size` until it has exited. */
  function endChild(child: ChildProcess) {
    removeFromIdle(child);
    if (child.pid === undefined) removeChild(child);
    else child.kill('SIGKILL');
  }

  function removeFromIdle(child: ChildProcess) {
    const at = idle.indexOf(child);
    if (at >= 0) idle.splice(at, 1);
    clearTimeout(endingChildren.get(child));
    endingChildren.delete(child);
  }

  function next() {
    while (!isClosed && hasFreeChild()) {
      const task = waiting.take(({ isHeavy }) => !isHeavy || activeHeavyJobs < Math.max(1, size - 1));
      if (!task) return;
      const [idleChild] = idle;
      // A retry needs a new child; if there is no room, an idle child is ended first.
      if (task.isRetry && idleChild && children.size >= size) {
        waiting.add(task, 'first');
        return endChild(idleChild);
      }
      try {
        const child = (task.isRetry ? undefined : idle.at(-1)) ?? start();
        removeFromIdle(child);
        startTask(child, task);
      } catch (error) {
        task.reject(error as Error);
      }
    }
  }

  const hasFreeChild = () => idle.length > 0 || children.size < size;

  function startTask(child: ChildProcess, task: Task<Job, Result>) {
    let reason = 'killed';
    if (task.isHeavy) activeHeavyJobs += 1;
    const timer = setTimeout(() => {
      reason = 'timeout';
      endChild(child);
    }, timeoutMs);
    const watch = setInterval(() => residentBytes(child) > maxBytes && endChild(child), 50);
    const stop = () => endChild(child);
    task.signal?.addEventListener('abort', stop);
    const finishJob = () => {
      if (task.isHeavy) activeHeavyJobs -= 1;
      clearTimeout(timer);
      clearInterval(watch);
      task.signal?.removeEventListener('abort', stop);
      child.off('message', done);
      child.off('exit', died);
      child.off('error', died);
    };
    const done = (answer: JobReply<Result>) => {
      finishJob();
      makeIdle(child);
      if ('error' in answer) task.reject(new JobError(answer.error));
      else task.resolve(answer.result);
      next();
    };
    const died = () => {
      finishJob();
      if (isClosed || task.signal?.aborted) task.reject(createBusyError());
      else if (task.isRetry) task.reject(new JobError(reason));
      else waiting.add(Object.assign(task, { isRetry: true }), 'first');
      next();
    };
    child.on('message', done);
    child.on('exit', died);
    child.on('error', died);
    child.ref();
    child.channel?.ref();
    child.send(task.job as object);
  }

  function makeIdle(child: ChildProcess) {
    if (child.killed) return;
    // End a child process with much memory left from a large job, so that it does not count towards
    // the limit of the next job.
    if (residentBytes(child) > maxBytes / 3) return endChild(child);
    idle.push(child);
    // An idle child does not keep this process running.
    child.unref();
    child.channel?.unref();
    endingChildren.set(child, setTimeout(endChild, idleMs, child).unref());
  }

  return {
    run(job, { user = '', priority = 0, isHeavy = false, signal } = {}) {
      if (isClosed || signal?.aborted) return Promise.reject(createBusyError());
      return new Promise((resolve, reject) => {
        const task = { job, user, priority, isHeavy, signal, isRetry: false, resolve, reject };
        signal?.addEventListener('abort', () => waiting.remove(task) && reject(createBusyError()), { once: true });
        waiting.add(task);
        next();
        if (waiting.size() > maxWaiting) waiting.removeFromLongest()?.reject(createBusyError());
      });
    },
    async close() {
      isClosed = true;
      for (const task of waiting.removeAll()) task.reject(createBusyError());
      await Promise.all(
        [...children].map((child) => {
          const exited = child.pid && new Promise((resolve) => child.once('exit', resolve));
          // Keep this process alive until the child has exited; otherwise it could exit before its
          // own shutdown is complete.
          child.ref();
          endChild(child);
          return exited;
        }),
      );
    },
  };
}

function residentBytes(child: ChildProcess) {
  if (process.platform !== 'linux') return 0;
  try {
    // Read synchronously: after an `await`, the child could already run another job.
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
