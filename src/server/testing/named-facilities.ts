// A database of the last version that knew facilities by name (before migration 047), and what becomes of its facilities.
import { sql } from 'kysely';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import type { Readiness } from '#shared/schedules/schedules.ts';
import { getNameKey } from '#shared/text.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { migrate, migrations } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import type { TestServer } from './server.ts';

export const [yesterday, today, tomorrow] = ['2026-06-09', '2026-06-10', '2026-06-11'];
export const upgradedAt = `${today}T08:00:00.000Z`;
export const at = (time: string) => `${today}T${time}:00.000Z`;

type Submitted = {
  checklist: string;
  at: string;
  answer?: 'Yes' | 'No' | undefined;
  place?: string;
  capturedAt?: string;
  isDeleted?: true;
};
type State = 'ready' | 'failing' | 'due' | 'again';
type Case = {
  title: string;
  submitted: Submitted[];
  expected: { indoor?: State; north?: State; south?: State; terrace?: State };
  hasSlide?: true;
  hasTerrace?: true;
};
const pool = (time: string, rest: Partial<Submitted> = {}): Submitted => ({
  ...{ checklist: 'pool', at: at(time), answer: 'Yes' },
  ...rest,
});
const field = (time: string, rest: Partial<Submitted> = {}) => pool(time, { checklist: 'field', ...rest });
const slide = (time: string) => pool(time, { checklist: 'slide' });

/**
 * What was submitted at a park, and what its facilities are afterwards; those left out are due. The first three parks have a
 * place for the indoor pool, a retired one, and one that was joined into another.
 */
export const cases: Case[] = [
  { title: 'nothing', submitted: [], expected: {} },
  { title: 'a pass', submitted: [pool('06:00')], expected: { indoor: 'ready' } },
  { title: 'a fail', submitted: [pool('06:00', { answer: 'No' })], expected: { indoor: 'failing' } },
  {
    title: 'a fail and then a pass',
    submitted: [pool('06:00', { answer: 'No' }), pool('06:30')],
    expected: { indoor: 'ready' },
  },
  {
    title: 'a pass and then a fail',
    submitted: [pool('06:00'), pool('06:30', { answer: 'No' })],
    expected: { indoor: 'failing' },
  },
  {
    title: 'a pass of yesterday',
    submitted: [pool('06:00', { at: `${yesterday}T06:00:00.000Z` })],
    expected: { indoor: 'due' },
  },
  { title: 'a deleted pass', submitted: [pool('06:00', { isDeleted: true })], expected: { indoor: 'due' } },
  {
    title: 'a pass that was sent later',
    submitted: [pool('07:30', { capturedAt: at('06:30') })],
    expected: { indoor: 'ready' },
  },
  {
    title: 'a pass that arrived two days later',
    submitted: [pool('07:30', { capturedAt: `2026-06-08T06:30:00.000Z` })],
    expected: { indoor: 'again' },
  },
  {
    title: 'a pass of one checklist of two facilities',
    submitted: [field('06:00')],
    expected: { north: 'again', south: 'again' },
  },
  {
    title: 'a pass that names one of two facilities',
    submitted: [field('06:00', { place: 'North field' })],
    expected: { north: 'ready', south: 'again' },
  },
  {
    title: 'a fail that names one of two facilities',
    submitted: [field('06:00', { place: 'North field', answer: 'No' })],
    expected: { north: 'failing', south: 'due' },
  },
  {
    title: 'a pass of one facility after a fail of the other',
    submitted: [field('06:00', { place: 'North field', answer: 'No' }), field('06:30', { place: 'South field' })],
    expected: { north: 'failing', south: 'ready' },
  },
  {
    title: 'a fail of one facility after a pass of the other',
    submitted: [field('06:00', { place: 'North field' }), field('06:30', { place: 'South field', answer: 'No' })],
    expected: { north: 'again', south: 'failing' },
  },
  {
    title: 'a pass without an answer to the question that can fail',
    submitted: [pool('06:00', { answer: undefined })],
    expected: { indoor: 'again' },
  },
  {
    title: 'a pass that names another place',
    submitted: [pool('06:00', { place: 'North field' })],
    expected: { indoor: 'again' },
  },
  // Here a second schedule writes the name of the indoor pool in another way.
  {
    title: 'passes of both facilities that become one place',
    submitted: [pool('06:00'), slide('06:30')],
    expected: { indoor: 'ready' },
    hasSlide: true,
  },
  {
    title: 'a pass of one of two facilities that become one place',
    submitted: [pool('06:00')],
    expected: { indoor: 'due' },
    hasSlide: true,
  },
  {
    title: 'a fail and a pass of two facilities that become one place',
    submitted: [pool('06:00', { answer: 'No' }), slide('06:30')],
    expected: { indoor: 'failing' },
    hasSlide: true,
  },
  {
    title: 'a pass of a checklist without a question that can fail',
    submitted: [pool('06:00', { checklist: 'terrace' })],
    expected: { terrace: 'again' },
    hasTerrace: true,
  },
];

export const [withPlace, withRetired, withJoined] = parks;
export const withSlide = parks.filter((_, index) => cases[index]?.hasSlide);
export const withTerrace = parks.filter((_, index) => cases[index]?.hasTerrace);

const questions = [
  { title: 'Is it clear?', type: 'na', required: false, onFail: { when: 'No' } },
  { title: 'Note', type: 'text', required: false },
];

const harmlessQuestions = [{ title: 'Is it clear?', type: 'na', required: false }];

async function insert(db: Database, table: string, ...rows: Record<string, string | number | null>[]) {
  for (const row of rows)
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})`.execute(db);
}

/** Links checks to submissions as the earlier version did, by checklist and park. */
async function linkAsBefore(db: Database): Promise<void> {
  const { rows } = await sql<{ id: string; checklist_id: string; park: string; at: string; failures: number }>`
    select id, checklist_id, park, coalesce(captured_at, submitted_at) as at, failures from submissions
    where deletion_id is null order by at`.execute(db);
  for (const { id, checklist_id, park, at, failures } of rows)
    await sql`update due_checks set submission_id = ${id}, filled_in_at = ${at}, received_at = ${at}, failures = ${failures}
      where id = (select id from due_checks where checklist_id = ${checklist_id} and park = ${park}
        and opens_at <= ${at} and closes_at > ${at} and submission_id is null order by closes_at, id desc limit 1)`.execute(
      db,
    );
}

/** Fills a database of the earlier version with the cases. */
export async function fillWithFacilities(config: Config): Promise<void> {
  const db = await connect(config);
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '047')));
  const user = { must_change_password: 0, created_at: yesterday, full_name: '', email: '', password_hash: 'x' };
  await insert(db, 'users', { id: 'u', username: 'u', username_key: 'u', role: 'Admin', parks: 'null', ...user });
  for (const id of ['pool', 'field', 'slide', 'terrace', 'sauna', 'old']) {
    const version = { version: 1, title: id, created_at: yesterday };
    const deletion = {
      thing: 'checklist',
      thing_id: id,
      label: id,
      deleted_at: yesterday,
      deleted_by: 'u',
      deleted_by_name: 'u',
    };
    if (id === 'sauna') await insert(db, 'deletions', { id: 'deletion of sauna', ...deletion });
    const { created_at, ...checklist } = version;
    const deletion_id = id === 'sauna' ? 'deletion of sauna' : null;
    await insert(db, 'checklists', { id, ...checklist, created_at, updated_at: yesterday, deletion_id });
    const sections = JSON.stringify(id === 'terrace' ? harmlessQuestions : questions);
    await insert(db, 'checklist_versions', { checklist_id: id, ...version, sections, created_by: 'u' });
  }
  const addPlace = (park: string, name: string, rest = {}) =>
    insert(db, 'places', { id: `${name}, ${park}`, park, name, name_key: getNameKey(name), ...rest });
  for (const park of parks) for (const name of ['North field', 'South field']) await addPlace(park, name);
  await addPlace(withPlace, 'INDOOR Pool');
  await addPlace(withRetired, 'INDOOR Pool', { retired_at: yesterday });
  await addPlace(withJoined, 'INDOOR Pool', { joined_into: `North field, ${withJoined}` });
  const addSchedule = async (id: string, checklist_id: string, gate: string, of: readonly string[], rest = {}) => {
    const times = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2026-01-01' };
    const created = { version: 1, written_until: tomorrow, created_at: yesterday, created_by: 'u' };
    await insert(db, 'schedules', { id, checklist_id, parks: JSON.stringify(of), gate, ...times, ...created, ...rest });
    for (const park of of)
      for (const day of [yesterday, today, tomorrow])
        await insert(db, 'due_checks', {
          ...{ id: `${id}, ${park}, ${day}`, schedule_id: id, checklist_id, park, day, gate, failures: 0 },
          ...{ opens_at: `${day}T05:00:00.000Z`, closes_at: `${day}T09:00:00.000Z` },
        });
  };
  await addSchedule('pool', 'pool', 'Indoor pool', parks);
  await addSchedule('north', 'field', 'North field', parks);
  await addSchedule('south', 'field', 'south  FIELD', parks);
  await addSchedule('slide', 'slide', 'INDOOR  pool', withSlide);
  await addSchedule('terrace', 'terrace', 'Terrace', withTerrace);
  await addSchedule('sauna', 'sauna', 'Sauna', [withPlace]);
  await addSchedule('old', 'old', 'Old pool', [withPlace], { ended_at: yesterday });
  await addSchedule('whole', 'old', '', [withPlace]);
  let count = 0;
  for (const [index, { submitted }] of cases.entries())
    for (const one of submitted) {
      count += 1;
      const [id, park] = [`submission ${count}`, parks[index] ?? ''];
      const deletion = {
        thing: 'submission',
        thing_id: id,
        label: id,
        deleted_at: yesterday,
        deleted_by: 'u',
        deleted_by_name: 'u',
      };
      if (one.isDeleted) await insert(db, 'deletions', { id: `deletion of ${id}`, ...deletion });
      await insert(db, 'submissions', {
        ...{ id, position: 2 ** 30 + count, number: `CHK-2026-${count}`, checklist_id: one.checklist },
        ...{ checklist_version: 1, checklist_title: one.checklist, data: JSON.stringify({ 0: one.answer }) },
        ...{ search_text: '', submitted_at: one.at, submitted_by: 'u', submitted_by_name: 'u', park },
        ...{ captured_at: one.capturedAt ?? null, failures: one.answer === 'No' ? 1 : 0 },
        deletion_id: one.isDeleted ? `deletion of ${id}` : null,
      });
      const link = { thing_id: id, thing: 'submission', linked_by: 'u', linked_at: one.at, is_later: 0 };
      if (one.place) await insert(db, 'place_links', { ...link, place_id: `${one.place}, ${park}` });
    }
  await linkAsBefore(db);
  await insert(db, 'counters', { name: 'submissions', value: count });
  await db.destroy();
}

function getState({ is_ready, failures, check_again, due_since, not_in_use }: Readiness): string | null {
  if (is_ready) return 'ready';
  if (failures > 0) return 'failing';
  return check_again !== null ? 'again' : due_since !== null ? 'due' : not_in_use;
}

/** Returns the state of each facility, by park and name. */
export async function readStates(server: TestServer): Promise<Record<string, Record<string, string | null>>> {
  const admin = await server.as('Admin');
  const lists = await Promise.all(
    parks.map(async (park) => (await admin(api.listDueChecks, { query: { park } })).ready),
  );
  return Object.fromEntries(
    parks.map((park, index) => [
      park,
      Object.fromEntries(
        (lists[index] ?? []).map((row) => [row.place.split(' ')[0]?.toLowerCase() ?? '', getState(row)]),
      ),
    ]),
  );
}

/** The sauna's checklist was deleted. */
export const expectedStates: Record<string, object> = Object.fromEntries(
  parks.map((park, index) => [
    park,
    {
      ...{ indoor: 'due', north: 'due', south: 'due', ...cases[index]?.expected },
      ...(park === withPlace && { sauna: 'ended' }),
    },
  ]),
);
