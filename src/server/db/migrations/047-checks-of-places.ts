// Checks belong to places. Until now a schedule had the name of the facility that its checks open, and a submission of
// its checklist at the park answered for every facility there. Each such name becomes a place of its parks.
import { type Kysely, sql } from 'kysely';
import { isPassing } from '#shared/answers.ts';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import type { Answer, Section } from '#shared/checklists.ts';
import { assignSubmissions, type CheckSubmission, getFilledInAt } from '#shared/schedules/check-state.ts';
import { toRule } from '#shared/schedules/expand-schedule.ts';
import { getReadiness, isOpenedBy, type JudgedSubmission } from '#shared/schedules/readiness.ts';
import { getNameKey } from '#shared/text.ts';
import { newId } from '../../ids.ts';
import { appendActivity, type LogLine, lockActivity, serverActor } from '../activity-log.ts';
import type { Database, Tables } from '../schema.ts';
import { runDdl } from '../tables.ts';

const what = 'Since an update, a check says which place it is for';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table schedules add column opens integer not null default 0;
alter table schedules add column changed_at text;
alter table schedules add column changes integer not null default 0;

create table schedule_places (
  schedule_id text not null references schedules (id),
  place_id text not null references places (id),
  primary key (schedule_id, place_id)
);
create index schedule_places_by_place on schedule_places (place_id);

create table passes_needed (
  place_id text not null references places (id),
  checklist_id text not null,
  arrival bigint not null,
  at text not null,
  what text not null,
  primary key (place_id, checklist_id)
);

create table place_checks (
  id text primary key,
  schedule_id text not null references schedules (id),
  checklist_id text not null references checklists (id),
  park text not null,
  place_id text not null default '',
  day text not null,
  opens_at text not null,
  closes_at text not null,
  gate text not null,
  submission_id text,
  filled_in_at text,
  received_at text,
  failures integer not null,
  reason text,
  reason_by_name text,
  reason_at text,
  unique (schedule_id, park, place_id, day, opens_at)
);
insert into place_checks select id, schedule_id, checklist_id, park, '', day, opens_at, closes_at, gate, submission_id, filled_in_at, received_at, failures, reason, reason_by_name, reason_at from due_checks;
drop table due_checks;
alter table place_checks rename to due_checks;
create index due_checks_by_time on due_checks (opens_at, id);
create index due_checks_by_day on due_checks (day, park, closes_at, filled_in_at, opens_at, failures);
create index due_checks_by_checklist on due_checks (checklist_id, park, place_id, opens_at);
create index due_checks_by_schedule on due_checks (schedule_id, opens_at);

drop index places_joined;
create index places_by_root on places (coalesce(joined_into, id));

alter table submissions add column place_sent text;
alter table submissions add column filled_in_at text not null default '';
alter table submissions add column passed integer not null default 0;
`,
  );
  await judgeSubmissions(db);
  await runDdl(
    db,
    `
drop index submissions_by_checklist;
create index submissions_by_checklist on submissions (checklist_id, park, submitted_at, filled_in_at, passed, failures, position, id) where deletion_id is null;
create index submissions_by_filling on submissions (checklist_id, park, filled_in_at) where deletion_id is null;
`,
  );
  await createPlaces(db as Database);
}

const page = 500;

/** Stores of each submission when it was filled in, its place, and whether it passed. */
async function judgeSubmissions(db: Kysely<unknown>): Promise<void> {
  await sql`update submissions set
    filled_in_at = case when captured_at <= submitted_at then captured_at else submitted_at end,
    place_sent = (select place_id from place_links where thing_id = submissions.id and is_later = 0)`.execute(db);
  // Many submissions have the same questions, which may be long.
  const versions = new Map<string, Section[]>();
  const readSections = async ({ checklist_id, checklist_version }: Filled) => {
    const key = `${checklist_id} ${checklist_version}`;
    const known = versions.get(key);
    if (known) return known;
    const { rows } = await sql<{ sections: string }>`select sections from checklist_versions
      where checklist_id = ${checklist_id} and version = ${checklist_version}`.execute(db);
    const sections = JSON.parse(rows[0]?.sections ?? '[]') as Section[];
    if (versions.size >= maxVersions) versions.clear();
    versions.set(key, sections);
    return sections;
  };
  for (let after = -1; ; ) {
    const { rows } = await sql<Filled>`select id, position, data, checklist_id, checklist_version from submissions
      where position > ${after} and failures = 0 order by position limit ${page}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const passed: string[] = [];
    for (const row of rows)
      if (isPassing(await readSections(row), JSON.parse(row.data) as Record<string, Answer>)) passed.push(row.id);
    if (passed.length > 0) await sql`update submissions set passed = 1 where id in (${sql.join(passed)})`.execute(db);
    after = last.position;
  }
}

type Filled = { id: string; position: number; data: string; checklist_id: string; checklist_version: number };
const maxVersions = 1000;

type GatedSchedule = Omit<Tables['schedules'], 'parks' | 'more_windows' | 'weekdays'> & {
  weekday: number | null;
  parks: string[];
  more_windows: { opens_at: string; closes_at: string }[];
  isDeleted: boolean;
};
type Facility = { schedule: GatedSchedule; park: string; place: string };

/** Replaces the names in schedules by places, and compares what is ready before and after. */
async function createPlaces(db: Database): Promise<void> {
  const { rows } = await sql<Tables['schedules'] & { weekday: number | null; deletion_id: string | null }>`
    select schedules.*, checklists.deletion_id from schedules join checklists on checklists.id = schedules.checklist_id
    where gate <> '' and ended_at is null order by schedules.id`.execute(db);
  if (rows.length === 0) return;
  const schedules: GatedSchedule[] = rows.map((row) => ({
    ...row,
    parks: JSON.parse(row.parks),
    more_windows: JSON.parse(row.more_windows),
    isDeleted: row.deletion_id !== null,
  }));
  const now = await findLastMoment(db);
  const facilities: Facility[] = [];
  const lines: LogLine[] = [];
  for (const schedule of schedules) {
    await sql`update schedules set opens = 1 where id = ${schedule.id}`.execute(db);
    for (const park of schedule.parks) {
      const place = await findOrCreatePlace(db, park, schedule.gate, lines);
      await sql`insert into schedule_places (schedule_id, place_id) values (${schedule.id}, ${place})`.execute(db);
      await sql`update due_checks set place_id = ${place} where schedule_id = ${schedule.id} and park = ${park}`.execute(
        db,
      );
      facilities.push({ schedule, park, place });
    }
  }
  if (lines.length > 0) await appendActivity(db, await lockActivity(db), lines);
  const used = facilities.filter(({ schedule }) => !schedule.isDeleted);
  await compareReadiness(db, used, now);
  const groups = new Map(used.map((facility) => [`${facility.schedule.checklist_id} ${facility.park}`, facility]));
  for (const { schedule, park } of groups.values()) await assignAgain(db, schedule.checklist_id, park, now);
}

/** Returns the time of the last change: the clock of this machine may differ from that of the server. */
async function findLastMoment(db: Database): Promise<string> {
  const { rows } = await sql<{ at: string | null }>`
    select max(at) as at from (select max(at) as at from activity union all select max(submitted_at) from submissions) as moments`.execute(
    db,
  );
  const now = new Date().toISOString();
  return rows[0]?.at && rows[0].at < now ? rows[0].at : now;
}

/** Returns the place of this name, used again if it is retired, or a new one. */
async function findOrCreatePlace(db: Database, park: string, gate: string, lines: LogLine[]): Promise<string> {
  const name_key = getNameKey(gate);
  const { rows } = await sql<{ id: string; name: string; retired_at: string | null }>`
    select id, name, retired_at from places where park = ${park} and name_key = ${name_key} and joined_into is null`.execute(
    db,
  );
  const log = (action: string, id: string, label: string, changes?: Record<string, unknown>) =>
    lines.push({
      actor: serverActor,
      now: new Date(),
      entry: { action, thing: 'place', thing_id: id, label, ...(changes && { changes }) },
    });
  const [found] = rows;
  if (!found) {
    const id = newId();
    await sql`insert into places (id, park, name, name_key) values (${id}, ${park}, ${gate}, ${name_key})`.execute(db);
    log('added', id, gate);
    return id;
  }
  if (found.retired_at !== null) {
    await sql`update places set retired_at = null where id = ${found.id}`.execute(db);
    log('changed', found.id, found.name, { isRetired: { from: true, to: false } });
  }
  return found.id;
}

type SubmissionRow = {
  id: string;
  submitted_at: string;
  captured_at: string | null;
  filled_in_at: string;
  submitted_by: string;
  passed: number;
  failures: number;
  position: number;
  place: string | null;
};

/**
 * A place that was ready, but is not by the submissions that name it, must be checked again, and so must one that was not
 * ready but is by another facility's submissions.
 */
async function compareReadiness(db: Database, facilities: Facility[], now: string): Promise<void> {
  const [arrived] = (await sql<{ value: number }>`select value from counters where name = 'submissions'`.execute(db))
    .rows;
  for (const { schedule, park, place } of facilities) {
    const { checklist_id } = schedule;
    const checks = await sql<{ opensAt: string; closesAt: string }>`
      select opens_at as "opensAt", closes_at as "closesAt" from due_checks
      where schedule_id = ${schedule.id} and park = ${park} and opens_at <= ${now}
      order by opens_at desc limit 1`.execute(db);
    const opened = checks.rows[0] ?? null;
    const { rows } = await sql<SubmissionRow>`
      select submissions.id, submitted_at, captured_at, filled_in_at, submitted_by, passed, failures, position,
        place_links.place_id as place
      from submissions left join place_links on place_links.thing_id = submissions.id
      where checklist_id = ${checklist_id} and park = ${park} and deletion_id is null
        and submitted_at >= ${opened?.opensAt ?? now} order by submissions.id`.execute(db);
    const places = new Set(
      facilities
        .filter((one) => one.park === park && one.schedule.checklist_id === checklist_id)
        .map((one) => one.place),
    );
    // Without a name, a submission was for the only facility that its checklist opens.
    const nameless = places.size === 1 ? rows.filter((row) => row.place === null) : [];
    for (const row of nameless) {
      row.place = place;
      await sql`insert into place_links (thing_id, thing, place_id, linked_by, linked_at, is_later)
        values (${row.id}, 'submission', ${place}, ${row.submitted_by}, ${row.submitted_at}, 0)`.execute(db);
    }
    const submissions = rows.filter((row) => row.place === place).map(toJudged);
    const today = fromDayNumber(toDayNumber(now.slice(0, 10)) - 1);
    const closures = await sql<{ starts_on: string; ends_on: string }>`
      select starts_on, ends_on from park_closures where park = ${park} and ends_on >= ${today}`.execute(db);
    const closedDays = new Set(closures.rows.flatMap(({ starts_on, ends_on }) => listDays(starts_on, ends_on)));
    const facts = {
      schedules: [
        {
          checklistId: checklist_id,
          rule: toRule({ ...schedule, weekdays: schedule.weekday === null ? [] : [schedule.weekday] }),
          opened,
          submissions,
        },
      ],
      again: [],
      closedDays,
    };
    const [openedBy] = facts.schedules;
    const isReady = openedBy !== undefined && isOpenedBy(openedBy, facts, now);
    if (isReady === wasReady(rows, opened)) continue;
    const { not_in_use, failures } = getReadiness(facts, now);
    if (not_in_use || failures > 0) continue;
    await sql`insert into passes_needed (place_id, checklist_id, arrival, at, what)
      values (${place}, ${checklist_id}, ${arrived?.value ?? 0}, ${now}, ${what})
      on conflict (place_id, checklist_id) do nothing`.execute(db);
  }
}

/**
 * Assigns the submissions of a checklist at a park again, to the checks whose window is open: they answered checks of any
 * facility there, and now only those of their place. Closed windows keep their answers.
 */
async function assignAgain(db: Database, checklist_id: string, park: string, now: string): Promise<void> {
  const { rows: checks } = await sql<{
    id: string;
    opensAt: string;
    closesAt: string;
    place: string;
    submission_id: string | null;
  }>`
    select id, opens_at as "opensAt", closes_at as "closesAt", place_id as place, submission_id from due_checks
    where checklist_id = ${checklist_id} and park = ${park} and opens_at <= ${now} and closes_at > ${now}
    order by id`.execute(db);
  const [from] = checks.map(({ opensAt }) => opensAt).sort();
  if (from === undefined) return;
  const ids = checks.map(({ id }) => id);
  // A late submission answers a check whose window closed on its day.
  const earliest = fromDayNumber(toDayNumber(from.slice(0, 10)) - 3);
  const { rows: submissions } = await sql<AssignedSubmission>`
    select submissions.id, submitted_at as "receivedAt", captured_at as "capturedAt", filled_in_at, failures,
      coalesce(place_links.place_id, '') as place
    from submissions left join place_links on place_links.thing_id = submissions.id
    where checklist_id = ${checklist_id} and park = ${park} and deletion_id is null and filled_in_at >= ${from}
      and not exists (select 1 from due_checks
        where due_checks.checklist_id = ${checklist_id} and due_checks.park = ${park} and opens_at >= ${earliest}
          and submission_id = submissions.id and due_checks.id not in (${sql.join(ids)}))`.execute(db);
  const answers = assignSubmissions(checks, submissions);
  for (const { id, submission_id } of checks) {
    const answer = answers.get(id);
    if (answer?.id === (submission_id ?? undefined)) continue;
    await sql`update due_checks set submission_id = ${answer?.id ?? null}, filled_in_at = ${answer?.filled_in_at ?? null},
      received_at = ${answer?.receivedAt ?? null}, failures = ${answer?.failures ?? 0} where id = ${id}`.execute(db);
  }
}

type AssignedSubmission = CheckSubmission & { receivedAt: string; filled_in_at: string; failures: number };

/** The rule of earlier versions: the last submission of the checklist at the park since the window opened has no failing answer. */
function wasReady(rows: SubmissionRow[], opened: { opensAt: string } | null): boolean {
  const filledIn = rows
    .map((row) => ({ row, at: getFilledInAt({ receivedAt: row.submitted_at, capturedAt: row.captured_at }) }))
    .filter(({ at }) => opened !== null && at >= opened.opensAt)
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return filledIn[0]?.row.failures === 0;
}

const toJudged = (row: SubmissionRow): JudgedSubmission => ({
  id: row.id,
  arrival: row.position % 2 ** 24,
  receivedAt: row.submitted_at,
  filledInAt: row.filled_in_at,
  hasPassed: row.passed === 1,
  failures: row.failures,
});

const listDays = (from: string, to: string) =>
  Array.from({ length: toDayNumber(to) - toDayNumber(from) + 1 }, (_, at) => fromDayNumber(toDayNumber(from) + at));
