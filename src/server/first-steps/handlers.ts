// Endpoints of the first steps, for Admins of all parks.
import { listOpenParks } from '#shared/park-list.ts';
import { startFolders } from '#shared/system/first-steps.ts';
import { insertFolder } from '../audits/folders.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import { setCounter } from '../db/counters.ts';
import { emailArrivedName, marksPrefix } from '../db/first-step-names.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { consumeOneUseToken } from '../sign-in/session/one-use-tokens.ts';
import { listSteps, readMarks } from './steps.ts';

export const firstStepsHandlers = {
  async getFirstSteps(context) {
    const marks = await readMarks(context.db);
    return { steps: await listSteps(context, marks), isEnded: marks.has('ended') };
  },

  saveFirstSteps: ({ body: { mark, isOn = true, token, folders }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const changes: Record<string, unknown> = {};
      if (token !== undefined) {
        if (!(await consumeOneUseToken(db, token, ['test email'], now)))
          throw new HttpError(409, 'This link was used or is too old. Send another test email.');
        await setCounter(db, marksPrefix + emailArrivedName, 1);
        changes[emailArrivedName] = true;
      }
      if (mark) {
        await setCounter(db, marksPrefix + mark, isOn ? 1 : 0);
        changes[mark] = isOn;
      }
      if (folders) {
        const existing = await db
          .selectFrom('folders')
          .select(['park', 'name'])
          .where('deletion_id', 'is', null)
          .execute();
        const has = new Set(existing.map(({ park, name }) => JSON.stringify([park, name])));
        for (const park of listOpenParks())
          for (const name of startFolders) {
            if (has.has(JSON.stringify([park, name]))) continue;
            const id = newId();
            await insertFolder(db, { id, name, description: '', park, thumbnail: null, by: user, now });
            logActivity({ action: 'created', thing: 'folder', thing_id: id, label: name });
          }
      }
      if (Object.keys(changes).length > 0)
        logActivity({ action: 'changed the first steps', ...toUserLogFields(user), changes });
    }),
} satisfies Partial<Handlers>;
