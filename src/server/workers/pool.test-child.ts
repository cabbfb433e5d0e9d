// A child process controlled by its test.
import { existsSync, writeFileSync } from 'node:fs';
import { handleJobs } from './child.ts';

export type TestJob = { do: 'pid' | 'throw' | 'exit' | 'exit once' | 'hang' | 'hold' | 'grow' | 'env'; name?: string };

const heldBuffers: Buffer[] = [];

handleJobs<TestJob, string | number | undefined>((job) => {
  if (job.do === 'throw') throw new Error('The job failed');
  if (job.do === 'exit') process.exit(1);
  if (job.do === 'exit once' && !existsSync(job.name ?? '')) {
    writeFileSync(job.name ?? '', '');
    process.exit(1);
  }
  if (job.do === 'env') return process.env[job.name ?? ''];
  if (job.do === 'hang') return new Promise<never>(() => setInterval(() => {}, 1000));
  if (job.do === 'hold') heldBuffers.push(Buffer.alloc(200 * 2 ** 20, 1));
  if (job.do === 'grow')
    return new Promise<never>(() => setInterval(() => heldBuffers.push(Buffer.alloc(8 * 2 ** 20, 1)), 5));
  return process.pid;
});
