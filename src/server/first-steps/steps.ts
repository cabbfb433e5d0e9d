// What of the first steps is done, asked of what is stored. Only Admins of all parks may read it.
import { isAdminOfAllParks, type Role } from '#shared/access.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import {
  type FirstStep,
  findNextStep,
  type Progress,
  type StepAction,
  type StepName,
  stepNames,
} from '#shared/system/first-steps.ts';
import { defaultOperatorName } from '../config.ts';
import { emailArrivedName, marksPrefix } from '../db/first-step-names.ts';
import type { Database } from '../db/schema.ts';
import type { Services } from '../http/handler-context.ts';
import { isMailSetUp } from '../notifications/email.ts';
import { listSettings } from '../parks/settings.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { backupCounters, maxVerifiedAgeMs } from '../system/lines.ts';
import { parseStoredParks } from '../user-parks.ts';

const minUsers = 10;
const minAdmins = 2;

type Context = { db: Database; config: Services['config']; user: SignedInUser; now: Date };

/** Returns whether the steps are ended, and what is set, by its name. */
export async function readMarks(db: Database): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('counters')
    .select(['name', 'value'])
    .where((eb) => eb.or([eb('name', 'like', `${marksPrefix}%`), eb('name', '=', backupCounters.verified)]))
    .where('value', '>', 0)
    .execute();
  return new Map(rows.map(({ name, value }) => [name.replace(marksPrefix, ''), Number(value)]));
}

/** Returns the progress for the session: one query when the steps are ended, otherwise four. */
export async function findProgress(context: Context): Promise<Progress | undefined> {
  if (!isAdminOfAllParks(context.user)) return undefined;
  const marks = await readMarks(context.db);
  if (marks.has('ended')) return undefined;
  const steps = await listSteps(context, marks);
  const next = findNextStep(steps);
  if (!next) return undefined;
  const done = steps.filter(({ state }) => state !== 'open').length;
  return {
    done,
    total: steps.length,
    next: next.waitsFor ? 'choose who does the audits of each park' : titles[next.name],
  };
}

/** What comes next, after 'Next: '. */
const titles: Record<StepName, string> = {
  account: 'make your account safe',
  operator: 'name the operator',
  parks: 'check the parks',
  users: 'add users',
  checklist: 'create a checklist',
  schedule: 'schedule a check that opens a place',
  folders: 'create audit folders',
  email: 'test email',
  backup: 'verify a backup',
};

type Found = {
  isDone: boolean;
  text: string;
  actions?: (StepAction | false)[];
  lines?: string[];
  isSetting?: boolean;
  waitsFor?: StepName;
};

export async function listSteps(context: Context, marks: Map<string, number>): Promise<FirstStep[]> {
  const { db, config, user, now } = context;
  const parks = listOpenParks();
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'parks'])
    .where('deleted_at', 'is', null)
    .execute();
  const admins = users.filter(({ role, parks }) =>
    isAdminOfAllParks({ role: role as Role, parks: parseStoredParks(parks) }),
  );
  const settings = (await listSettings(db, user)).filter(({ park }) => parks.includes(park));
  const [work, folders] = await Promise.all([
    db
      .selectNoFrom((eb) => [
        eb.exists(eb.selectFrom('checklists').select('id').where('deletion_id', 'is', null)).as('hasChecklist'),
        eb
          .exists(eb.selectFrom('schedules').select('id').where('ended_at', 'is', null).where('opens', '=', 1))
          .as('opens'),
      ])
      .executeTakeFirstOrThrow(),
    db.selectFrom('folders').select('park').distinct().where('deletion_id', 'is', null).execute(),
  ]);
  const firstAdmin = users.find(({ id }) => marks.has(`password of ${id}`));
  const isFirstAdmin = firstAdmin?.id === user.id;
  const unfilled = settings.filter(
    ({ telephone, assignee, hazardAssignee, authority }) =>
      !telephone || !assignee || !hazardAssignee || authority === 'ask',
  );
  const hasOurParks = marks.has('our parks');
  const lacksPeopleOnly =
    hasOurParks &&
    unfilled.length > 0 &&
    unfilled.every(({ telephone, authority }) => telephone && authority !== 'ask');
  const withoutFolder = parks.filter((park) => !folders.some((folder) => folder.park === park));
  const hasUsers = users.length >= minUsers || marks.has('all users');
  const areUsersDone = hasUsers && admins.length >= minAdmins;
  const whenToChoose =
    areUsersDone || marks.has('users not needed')
      ? 'now'
      : `once there are users, after step ${stepNames.indexOf('users') + 1}`;
  const verifiedMs = (marks.get(backupCounters.verified) ?? 0) * 1000;
  const hasMail = isMailSetUp(config.mail) && config.publicUrl !== '';

  const found: Record<StepName, Found> = {
    account: {
      isDone: !firstAdmin && !user.factorNeed,
      actions: [isFirstAdmin && 'change password'],
      text: [
        firstAdmin &&
          (isFirstAdmin
            ? 'You still have the password from the start. Change it first.'
            : `${firstAdmin.username} still has the password from the start, and must sign in and change it.`),
        user.factorNeed && 'Your role needs a second factor. Set it up now.',
      ]
        .filter(Boolean)
        .join(' '),
    },
    operator: {
      isDone: config.operator.name !== defaultOperatorName,
      text: `The screens and PDFs say '${config.operator.name}'.`,
      lines: ['OPERATOR_NAME="Your name here"'],
      isSetting: true,
    },
    parks: {
      isDone: hasOurParks && unfilled.length === 0,
      actions: [!hasOurParks && 'our parks'],
      text: [
        `The open parks are ${parks.join(', ')}. If that is wrong, write their names into a file, one a line, and name the file in the settings.`,
        unfilled.length > 0 &&
          `${pluralise(unfilled.length, 'park')} of ${parks.length} ${unfilled.length === 1 ? 'lacks' : 'lack'} ${lacksPeopleOnly ? '' : 'a telephone number, the authority or '}someone who does audits. Who does audits can be chosen ${whenToChoose}.`,
        hasOurParks
          ? 'The names are confirmed.'
          : "'These Are Our Parks' confirms the names only. What a park lacks can be filled in before or after.",
      ]
        .filter(Boolean)
        .join(' '),
      lines: ['PARKS_FILE=/srv/park-reports/parks.txt'],
      isSetting: true,
      ...(lacksPeopleOnly && { waitsFor: 'users' }),
    },
    users: {
      isDone: areUsersDone,
      actions: [!hasUsers && 'all users'],
      text: `There ${users.length === 1 ? 'is' : 'are'} ${pluralise(users.length, 'user')}, of whom ${pluralise(admins.length, 'Admin')} of all parks.${areUsersDone ? '' : ` There should be ${minUsers} users and ${minAdmins} such Admins.`}`,
    },
    checklist: { isDone: Boolean(work.hasChecklist), text: '' },
    schedule: { isDone: Boolean(work.opens), text: '' },
    folders: {
      isDone: withoutFolder.length === 0,
      actions: [withoutFolder.length > 0 && 'folders'],
      text:
        withoutFolder.length === 0
          ? ''
          : `${pluralise(withoutFolder.length, 'park')} of ${parks.length} have no folder.`,
    },
    email: {
      isDone: marks.has(emailArrivedName),
      text: hasMail
        ? 'Send yourself the test email under System, and open its link.'
        : 'Email is not set up, or the address of this server is not.',
      ...(!hasMail && {
        lines: [
          'SMTP_URL=smtps://user:password@mail.example:465',
          'MAIL_FROM=safety@example.com',
          'PUBLIC_URL=https://safety.example.com',
        ],
        isSetting: true,
      }),
    },
    backup: {
      isDone: verifiedMs > now.getTime() - maxVerifiedAgeMs,
      text: 'A backup that was never restored may be none. Both commands run on the server; repeat the first every night and the second every week.',
      lines: ['npm run backup -- /backups', 'npm run verify-backup -- "$(ls -d /backups/park-reports-* | tail -n 1)"'],
    },
  };
  return stepNames.map((name) => {
    const { isDone, actions = [], lines = [], isSetting = false, ...rest } = found[name];
    const state = isDone ? 'done' : marks.has(`${name} not needed`) ? 'notNeeded' : 'open';
    return { name, state, actions: actions.filter((one) => one !== false), lines, isSetting, ...rest };
  });
}
