// Demo checks: places, schedules and a year of filled-in checklists, created through the API as users do.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answers, withAnswer } from '#shared/answers.ts';
import { api } from '#shared/api.ts';
import { NewChecklist, type Section } from '#shared/checklists.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import { isShown } from '#shared/shown-questions.ts';
import { demoUsers } from './season.ts';
import { drawSignature } from './signatures.ts';

const hourMs = 60 * 60 * 1000;

/** The time of day in the United Kingdom, as forms take it. */
export const formatTime = (at: Date): string =>
  at.toLocaleTimeString('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' });

const staff = demoUsers.filter(({ park }) => park !== '');

const templateFolder = join(import.meta.dirname, '..', '..', 'shared', 'checklist-templates');
/** Templates that head office of the demo uses as they are. */
const templates = ['pool-plant-room', 'play-area-weekly', 'lpg-compound', 'fire-points', 'legionella-flush', 'hot-tub'];
const poolCheck = 'Swimming pool plant room: daily check';
const playAreaCheck = 'Play area: weekly inspection';
const fireCheck = 'Fire points: weekly check';

/** Days from the start of the schedules to today; parks fill in unscheduled checklists for longer, and pools are read for a year. */
export const scheduledDays = 40;
const unscheduledDays = 210;
const readingDays = 365;
/** Failing answers of earlier days are put right on the same day. */
const openFaultDays = 10;

/** Lido Beach has two pools, which are checked with one form. */
const pools = [
  { username: 'gethin', park: 'Pendyffryn Hall', place: 'Pool' },
  { username: 'sian', park: 'Lido Beach', place: 'Indoor pool' },
  { username: 'sian', park: 'Lido Beach', place: 'Outdoor pool' },
] as const;
/** The places of one round, in the order of the walk. */
const playAreas = ['Play area by the lake', 'Toddlers’ area', 'Adventure trail', 'Clubhouse play area'].map(
  (place) => ({ username: 'sian', park: 'Lido Beach', place }) as const,
);
const firePoints = [
  { username: 'owain', park: 'Kingsley' },
  { username: 'ffion', park: 'Point of Ayr' },
] as const;

/** One checklist that a user fills in at a park, or at a place of it. `number` chooses the answers; without `title` also the checklist. */
type Round = {
  username: string;
  park: string;
  place?: string;
  title?: string;
  number: number;
  at: number;
  /** Whether failing answers are put right at once. */
  isMended: boolean;
};

export const readDemoChecklists = (): Promise<NewChecklist[]> =>
  Promise.all(
    templates.map(async (name) => {
      const text = await readFile(join(templateFolder, `${name}.json`), 'utf8');
      return NewChecklist.parse(JSON.parse(text));
    }),
  );

export async function addDemoChecklists(fetchAsUser: typeof fetch): Promise<void> {
  for (const body of await readDemoChecklists()) await sendRequest(fetchAsUser, api.createChecklist, { body });
}

export async function addDemoPlaces(fetchAsUser: typeof fetch): Promise<void> {
  for (const { park, place } of [...pools, ...playAreas])
    await sendRequest(fetchAsUser, api.addPlaces, { body: { park, names: [place] } });
}

/**
 * Schedules the pools twice a day before they open, the play areas in a weekly round whose day is today, so that it is
 * half done when the demo starts, and the fire points every Monday.
 */
export async function addSchedules(fetchAsUser: typeof fetch, startsOn: string, now: Date): Promise<void> {
  const checklists = await sendRequest(fetchAsUser, api.listChecklists, {});
  const allPlaces = await sendRequest(fetchAsUser, api.listPlaces, {});
  const getId = (title: string) => checklists.find((checklist) => checklist.title === title)?.id ?? '';
  const getPlaces = (targets: readonly { park: string; place: string }[]) =>
    allPlaces
      .filter(({ park, name }) => targets.some((target) => target.park === park && target.place === name))
      .map(({ id }) => id);
  const getParks = (targets: readonly { park: string }[]) => [...new Set(targets.map(({ park }) => park))];
  const common = { month_day: null, season_from: null, season_to: null, ends_on: null, starts_on: startsOn };
  const schedules = [
    {
      ...{ checklist_id: getId(poolCheck), repeat: 'daily' as const, opens_at: '06:00', closes_at: '10:00' },
      ...{ parks: getParks(pools), places: getPlaces(pools), opens: true },
      more_windows: [{ opens_at: '16:00', closes_at: '18:00' }],
    },
    {
      ...{ checklist_id: getId(playAreaCheck), repeat: 'weekly' as const, opens_at: '00:00', closes_at: '23:59' },
      ...{ parks: getParks(playAreas), places: getPlaces(playAreas), weekdays: [now.getDay() || 7] },
    },
    {
      ...{ checklist_id: getId(fireCheck), repeat: 'weekly' as const, opens_at: '08:00', closes_at: '18:00' },
      ...{ parks: getParks(firePoints), weekdays: [1] },
    },
  ];
  for (const schedule of schedules)
    await sendRequest(fetchAsUser, api.createSchedule, { body: { ...common, ...schedule } });
}

/** Returns what is filled in on a day before today, in the order of time; `midnight` is its start. Some checks are late or missing. */
export function listRounds(daysAgo: number, midnight: number): Round[] {
  const at = (hours: number) => midnight + hours * hourMs;
  const common = { number: daysAgo, isMended: daysAgo > openFaultDays };
  const poolRounds = pools.flatMap((pool, index): Round[] => {
    if (daysAgo > scheduledDays)
      return daysAgo <= readingDays && daysAgo % 5 === 0
        ? [{ ...common, ...pool, title: poolCheck, at: at(7 + index * 0.3) }]
        : [];
    const times = [(daysAgo + index) % 9 === 0 ? 10.7 : 7.1 + index * 0.3, 16.4 + index * 0.3];
    return times
      .filter((_, time) => (daysAgo + index * 4 + time * 5) % 11 !== 0)
      .map((hours) => ({ ...common, ...pool, title: poolCheck, at: at(hours) }));
  });
  const playAreaRounds = playAreas
    .filter((_, index) => daysAgo <= scheduledDays && daysAgo % 7 === 0 && (daysAgo / 7 + index) % 9 !== 0)
    .map((area, index): Round => ({ ...common, ...area, title: playAreaCheck, at: at(13 + index * 0.2) }));
  const isMonday = new Date(midnight).getUTCDay() === 1;
  const fireRounds = firePoints
    .filter((_, index) => daysAgo < scheduledDays && isMonday && (daysAgo + index * 7) % 5 !== 0)
    .map((point, index): Round => ({ ...common, ...point, title: fireCheck, at: at(11 + index) }));
  // Each park fills in the others on different days.
  const otherRounds = staff
    .map(({ username, park }, index): Round => {
      return { ...common, username, park, number: daysAgo + index, at: at(7 + index * 0.4) };
    })
    .filter((_, index) => daysAgo < unscheduledDays && (daysAgo + index * 2) % 6 === 0);
  return [...poolRounds, ...playAreaRounds, ...fireRounds, ...otherRounds].sort((a, b) => a.at - b.at);
}

/** The half of today's round of the play areas that is done. */
export const listRoundsOfNow = (): Round[] =>
  playAreas.slice(0, 2).map((area) => ({ ...area, title: playAreaCheck, number: 1, at: 0, isMended: false }));

/**
 * Reads the places and checklists as this user. Returns a function that fills in a checklist, and completes the audits
 * of its failing answers if they are put right at once.
 */
export async function createRounds(fetchAsUser: typeof fetch) {
  const places = await sendRequest(fetchAsUser, api.listPlaces, {});
  const checklists = await sendRequest(fetchAsUser, api.listChecklists, {});
  return async (fetchAsUser: typeof fetch, { park, place, number, title, isMended }: Round, at: Date) => {
    const checklist = checklists.find((one) => one.title === title) ?? checklists[number % checklists.length];
    if (!checklist) throw new Error('The demo has no checklists');
    const placeId = places.find((one) => one.park === park && one.name === place)?.id ?? null;
    const body = { checklistId: checklist.id, placeId, ...(await fillIn(checklist.sections, park, number, at)) };
    const { id } = await sendRequest(fetchAsUser, api.submitChecklist, { body });
    if (Object.keys(body.notes).length === 0 || !isMended) return;
    const { audits } = await sendRequest(fetchAsUser, api.getSubmissionReceipt, { params: { id } });
    for (const audit of audits)
      await sendRequest(fetchAsUser, api.updateAudit, {
        params: { id: audit.id },
        body: { data: { completed: true } },
      });
  };
}

/** Answers the questions that are shown. In every 18th checklist one answer fails. */
async function fillIn(sections: Section[], park: string, number: number, at: Date) {
  const mayFail = sections.flatMap(({ onFail }, index) =>
    onFail && ['No', 'outOfRange'].includes(onFail.when) && !onFail.audit?.urgent ? [index] : [],
  );
  const failing = number % 18 === 0 ? mayFail[number % mayFail.length] : undefined;
  const signature = `data:image/png;base64,${(await drawSignature(number)).toString('base64')}`;
  let data: Answers = {};
  for (const [index, section] of sections.entries()) {
    if (!isShown(sections, data, index)) continue;
    const answer = answerSection(section, { park, number, signature, at }, index === failing);
    data = withAnswer(data, index, answer);
  }
  return {
    data,
    notes: failing === undefined ? {} : { [failing]: { note: 'Reported to maintenance', mediaFiles: [] } },
  };
}

type Context = { park: string; number: number; signature: string; at: Date };

/** Returns an answer, which fails only if it should; undefined for a question that is left out. */
function answerSection(section: Section, { park, number, signature, at }: Context, shouldFail: boolean) {
  const { type, title, required, onFail, choices = [] } = section;
  if (shouldFail) return section.number ? String(section.number.max === null ? 0 : section.number.max * 1.3) : 'No';
  if (type === 'signature') return signature;
  if (type === 'site') return park;
  if (type === 'date') return getToday(at);
  if (type === 'time') return formatTime(at);
  if (type === 'checkbox') return true;
  if (type === 'choice') return choices[number % choices.length]?.text;
  if (type === 'na') return onFail?.when === 'Yes' || (!onFail && number % 3 !== 0) ? 'No' : 'Yes';
  if (type !== 'text') return;
  if (section.number) return measure(section.number, title, number + 30 * (at.getUTCMonth() % 6));
  if (required) return /compound|unit|points/i.test(title) ? String(1 + (number % 6)) : 'Made safe, sign put up';
}

/** Returns a number within the limits, near their middle, which rises and falls from day to day. */
function measure({ min, max, unit }: NonNullable<Section['number']>, title: string, number: number): string {
  const wave = (Math.sin(number / 9) + Math.sin(number * 2.3) / 3) / 1.6;
  const spread = (low: number, high: number) => ((low + high) / 2 + (wave * (high - low)) / 2).toFixed(1);
  if (min !== null && max !== null) return spread(min, max);
  if (min !== null) return spread(min + 1, min + 7);
  if (max !== null) return spread(max * 0.4, max * 0.9);
  if (unit === '%') return spread(35, 85);
  return unit === '°C' ? spread(28, 30) : /pressure/i.test(title) ? spread(0.6, 0.9) : spread(1, 9);
}
