// Runs a retention run that calls `next` at each step: before every query of the transaction, after
// its commit, and before each file is deleted.
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { type TransactionWork, writeTransaction } from '../db/write-transaction.ts';
import type { FileStore } from '../files/store.ts';
import { retentionRunHandlers } from '../retention/handlers.ts';
import { onQuery } from './on-query.ts';

export type SteppedRun = {
  user: { id: string; username: string };
  now: string;
  body: { hash: string; ids: string[]; count: number };
};

export type Step = 'query' | 'committed' | 'file';

type Services = { config: Config; db: Database; files: FileStore };

export async function runInSteps(
  { config, db, files }: Services,
  run: SteppedRun,
  next: (step: Step) => void,
): Promise<void> {
  const { user, body } = run;
  const now = new Date(run.now);
  const actor = { id: user.id, name: user.username, ip: '', requestId: '' };
  const context = {
    ...{ config, db, log: { warn() {} }, now, body, user: { ...user, park: '' } },
    files: {
      ...files,
      async remove(path: string) {
        next('file');
        await files.remove(path);
      },
    },
    async writeTransaction(work: TransactionWork<unknown>) {
      const result = await writeTransaction(db.withPlugin(onQuery(() => next('query'))), actor as never, now, work);
      next('committed');
      return result;
    },
  };
  await retentionRunHandlers.runRetention(context as never);
}
