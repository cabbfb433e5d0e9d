// Creates two seasons of demo data: invented users submit records through the API, day after day,
// with a simulated clock.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Answers } from '#shared/answers.ts';
import { api } from '#shared/api.ts';
import type { Section } from '#shared/checklists.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import type { NewReport } from '#shared/reports/reports.ts';
import { insertStarterChecklists } from '../checklists/starters.ts';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { serverActor } from '../db/activity-log.ts';
import { connect } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { insertComingChecks } from '../schedules/due-checks.ts';
import { hashPassword } from '../sign-in/session/passwords.ts';
import { getCookieName, insertSession } from '../sign-in/session/session.ts';
import { start } from '../start.ts';
import { findUserByName, insertUser } from '../users/store.ts';
import { addDemoAudits } from './audits.ts';
import { everyTypeChecklist } from './every-type.ts';
import { addDemoInvestigations, addDemoLesson } from './investigations.ts';
import { addDemoMessages } from './messages.ts';
import { adults, children, demoEvents, demoUsers, otherStaff } from './season.ts';

export const demoPassword = 'demo-seaside-2026';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
/** This season and the previous one, which the overview compares. DEMO_DAYS=30 starts faster. */
const defaultDays = Number(process.env.DEMO_DAYS ?? 575);
/** Checklists are submitted during the last days only, and scheduled during still fewer. */
const checkDays = 210;
const scheduledDays = 40;
/** Reports of the last days that no reviewer has opened yet. */
const unopenedDays = 10;
/** Days from one report to the next: parks are full from April to September. */
const getReportInterval = (at: Date) => (at.getUTCMonth() >= 3 && at.getUTCMonth() <= 8 ? 3 : 9);

const formatTime = (at: Date) =>
  at.toLocaleTimeString('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' });

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * Fills an installation that no server is using. Does nothing if the demo's user Siân exists,
 * because then it is filled already.
 */
export async function seedDemoData(config: Config, now: Date, demoDays = defaultDays): Promise<void> {
  let at = now.getTime() - demoDays * dayMs;
  const server = await start(
    { ...config, port: 0, guestPort: 0, host: '127.0.0.1', publicUrl: '' },
    { clock: createClock(() => at), registerPages: async () => {} },
  );
  const db = await connect(config);
  try {
    if (await findUserByName(db, 'sian')) return;
    const ids = await addUsers(db, new Date(at));
    /** Returns a `fetch` for this user, signed in at the time of the simulated clock. */
    const signInAs = (username: string) => signIn(config, db, server.address, ids.get(username) ?? '', new Date(at));
    const carysId = ids.get('carys') ?? '';
    await writeTransaction(db, serverActor, new Date(at), (db) => insertStarterChecklists(db, carysId, new Date(at)));
    const photos = await readPhotos();
    const midnight = Math.floor(at / dayMs) * dayMs;
    const reporters = [...staff, ...otherStaff];
    let reportCount = 0;
    for (let day = 1; day < demoDays; day++) {
      const today = midnight + day * dayMs;
      if (day === Math.max(1, demoDays - scheduledDays)) {
        at = Math.max(at, today);
        await addSchedules(await signInAs('carys'), getToday(new Date(at)));
      }
      if (day === demoDays - unopenedDays)
        for (const reviewer of ['carys', 'huw'])
          await sendRequest(await signInAs(reviewer), api.readAllNotifications, {});
      await insertComingChecks(db, new Date(at));
      const rounds = [
        ...(day > demoDays - scheduledDays ? listScheduledRounds(day, today) : []),
        ...(day > demoDays - checkDays ? listOtherRounds(day, today) : []),
      ].sort((a, b) => a.at - b.at);
      for (const { username, at: time, ...round } of rounds) {
        at = Math.max(at, time);
        await submitDueChecklist(await signInAs(username), round, new Date(at));
      }
      if (day % getReportInterval(new Date(today)) !== 0) continue;
      const index = reportCount++;
      const eventTime = today + (11 + ((index * 5) % 7)) * hourMs + ((index * 17) % 60) * 60_000;
      at = Math.max(at, eventTime + (25 + ((index * 11) % 50)) * 60_000);
      const user = pick(reporters, index * 7 + Math.floor(index / 5));
      const report = await submitDemoReport(await signInAs(user.username), user, index, new Date(eventTime), photos);
      if (day > demoDays - unopenedDays) continue;
      at += 3 * hourMs;
      await assessReport(await signInAs('huw'), report);
    }
    at = Math.max(at, now.getTime() - dayMs);
    await insertComingChecks(db, new Date(at));
    const reviewer = await signInAs('carys');
    await sendRequest(reviewer, api.createChecklist, { body: everyTypeChecklist });
    await addDemoAudits(reviewer, now, photos);
    if (config.guestUrl) await addLabels(reviewer);
    await addDemoMessages(db, { id: carysId, username: 'carys' }, now);
    await addDemoLesson(reviewer, now);
    await addDemoInvestigations({ reviewer, worker: await signInAs('sian'), verifier: await signInAs('huw') });
  } finally {
    await db.destroy();
    await server.stop();
  }
}

async function addUsers(db: Database, now: Date): Promise<Map<string, string>> {
  const passwordHash = await hashPassword(demoPassword);
  const ids = new Map<string, string>();
  for (const { username, fullName, role, park } of [...demoUsers, ...otherStaff]) {
    const user = { username, full_name: fullName, role, park, passwordHash, mustChangePassword: false };
    ids.set(username, await writeTransaction(db, serverActor, now, (db) => insertUser(db, user, now)));
  }
  return ids;
}

/** Starts a session of this user without a password, and returns a `fetch` that uses it. */
async function signIn(config: Config, db: Database, address: string, id: string, now: Date): Promise<typeof fetch> {
  const cookie = `${getCookieName(config.isSecure)}=${await insertSession(db, id, now)}`;
  return (path, init) => fetch(address + path, { ...init, headers: { ...(init?.headers as object), cookie } });
}

/** The drawn photos of fixtures/demo, by name. */
async function readPhotos(): Promise<Map<string, Buffer>> {
  const folder = join(import.meta.dirname, '../../../fixtures/demo');
  const names = [...new Set(demoEvents.flatMap(({ photos }) => photos))];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, `${name}.jpg`))] as const)),
  );
}

type Author = (typeof demoUsers)[number];

/** Returns the same age for the same person each time. */
const getAge = (name: string, from: number, yearSpan: number) =>
  from + ([...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % yearSpan);

async function submitDemoReport(
  fetchAsUser: typeof fetch,
  author: Author,
  index: number,
  at: Date,
  photos: Map<string, Buffer>,
) {
  const { reportType, who, emergencyService = 'None', photos: names, ...eventFields } = pick(demoEvents, index);
  const child = who === 'child' ? pick(children, index) : undefined;
  const image = async (content: Buffer, fileName: string, use: 'photo' | 'signature') => {
    const file = new Blob([new Uint8Array(content)]);
    return (await sendRequest(fetchAsUser, api.uploadImage, { query: { use }, body: {}, file, fileName })).filePath;
  };
  const employmentStatus = who === 'child' ? pick(['Guest', 'Visitor'] as const, index) : pick(who, index);
  const name = child?.name ?? (employmentStatus === 'Staff' ? author.fullName : pick(adults, index * 5));
  const body: NewReport = {
    ...eventFields,
    selectedPlace: author.park === '' ? 'Lido Beach' : author.park,
    name,
    age: child ? getAge(name, 4, 9) : getAge(name, 19, 55),
    contactNumber: `07700900${100 + ((index * 7) % 900)}`,
    reporter: author.fullName,
    date: getToday(at),
    time: formatTime(at),
    employmentStatus,
    emergencyService,
    mediaFiles: [],
    signature: { path: await image(await drawSignature(index), 'signature-1.png', 'signature') },
    affectedUserSignature: { path: await image(await drawSignature(index + 3), 'signature-2.png', 'signature') },
    ...(child && { affectedUserSignedBy: { name: child.parent, capacity: 'Parent or guardian' as const, reason: '' } }),
  };
  for (const name of names)
    body.mediaFiles.push({
      path: await image(photos.get(name) ?? Buffer.of(), `${name}.jpg`, 'photo'),
      name: `${name}.jpg`,
    });
  const { id } = await sendRequest(fetchAsUser, reportType === 'accident' ? api.submitAccident : api.submitIncident, {
    body,
  });
  return { id, isInjury: reportType === 'accident', employmentStatus, emergencyService };
}

type SubmittedReport = Awaited<ReturnType<typeof submitDemoReport>>;

/** Opens a report and answers its RIDDOR questions. None of the demo's events is reportable. */
async function assessReport(
  fetchAsUser: typeof fetch,
  { id, isInjury, employmentStatus, emergencyService }: SubmittedReport,
): Promise<void> {
  const params = { id };
  await sendRequest(fetchAsUser, api.getReport, { params });
  const answers = {
    ...{ workHow: 'no', workKit: 'no', workPlace: 'no', workViolence: 'no', exclusions: ['none'], road: 'no' },
    ...{ control: 'us', hospitalPremises: 'no', occurrence: ['none'], gas: 'no', gasFitting: 'no' },
  };
  const commonAnswers = { harm: 'accident', forces: 'no', died: 'no' };
  const person = ['Staff', 'Contractor'].includes(employmentStatus)
    ? {
        ...commonAnswers,
        class: employmentStatus === 'Staff' ? 'employee' : 'otherEmployee',
        specified: ['none'],
        absence: 'none',
      }
    : { ...commonAnswers, class: 'public', hospital: emergencyService === 'Ambulance' ? 'treatment' : 'no' };
  const { version } = await sendRequest(fetchAsUser, api.saveAssessment, {
    params,
    body: { version: 0, answers, people: isInjury ? [person] : [] },
  });
  await sendRequest(fetchAsUser, api.decideAssessment, { params, body: { version, decision: 'notReportable' } });
}

const staff = demoUsers.filter(({ park }) => park !== '');

const poolCheck = 'Swimming pool plant room: daily check';
const fireCheck = 'Fire points: weekly check';
/** Lido Beach has two pools, which are checked with one form. */
const poolTargets = [
  { username: 'gethin', park: 'Pendyffryn Hall', place: 'Pool' },
  { username: 'sian', park: 'Lido Beach', place: 'Indoor pool' },
  { username: 'sian', park: 'Lido Beach', place: 'Outdoor pool' },
] as const;

/** Returns a place with a label and what the label leads to; undefined if guests send no messages here. */
export async function findDemoLabel(config: Config): Promise<{ place: string; url: string } | undefined> {
  if (!config.guestUrl) return;
  const db = await connect(config);
  try {
    const place = await db
      .selectFrom('places')
      .select(['name', 'label'])
      .where('label', 'is not', null)
      .orderBy('name')
      .executeTakeFirst();
    return place && { place: place.name, url: `${config.guestUrl}/h/${place.label}` };
  } finally {
    await db.destroy();
  }
}

/** Adds places with labels to one park, and the telephone numbers that its guests ring. */
async function addLabels(fetchAsUser: typeof fetch): Promise<void> {
  const park = 'Lido Beach';
  const names = ['Indoor pool', 'Play area', 'Launderette', 'Clubhouse', 'Arcade', 'Main gate', 'Slipway', 'Plot 112'];
  await sendRequest(fetchAsUser, api.addPlaces, { body: { park, names } });
  await sendRequest(fetchAsUser, api.addLabels, { body: { park } });
  const numbers = { guestTelephone: '01632 960999', gasTelephone: '0800 111 999' };
  await sendRequest(fetchAsUser, api.saveParkSettings, { body: { park, ...numbers } });
}

/** Schedules two checklists: one twice a day before a pool opens, one every Monday. */
async function addSchedules(fetchAsUser: typeof fetch, today: string): Promise<void> {
  const checklists = await sendRequest(fetchAsUser, api.listChecklists, {});
  const getId = (title: string) => checklists.find((checklist) => checklist.title === title)?.id ?? '';
  const commonFields = {
    month_day: null,
    season_from: null,
    season_to: null,
    ends_on: null,
    starts_on: today,
  };
  for (const { park, place } of poolTargets)
    await sendRequest(fetchAsUser, api.addPlaces, { body: { park, names: [place] } });
  const places = (await sendRequest(fetchAsUser, api.listPlaces, {})).filter((one) =>
    poolTargets.some(({ park, place }) => one.park === park && one.name === place),
  );
  const poolSchedule = {
    parks: [...new Set(poolTargets.map(({ park }) => park))],
    ...{ repeat: 'daily' as const, places: places.map(({ id }) => id), opens: true },
  };
  const fireSchedule = { parks: ['Kingsley' as const, 'Point of Ayr' as const], repeat: 'weekly' as const };
  await sendRequest(fetchAsUser, api.createSchedule, {
    body: {
      ...commonFields,
      ...poolSchedule,
      checklist_id: getId(poolCheck),
      opens_at: '06:00',
      closes_at: '10:00',
      more_windows: [{ opens_at: '16:00', closes_at: '18:00' }],
    },
  });
  await sendRequest(fetchAsUser, api.createSchedule, {
    body: {
      ...commonFields,
      ...fireSchedule,
      weekdays: [1],
      checklist_id: getId(fireCheck),
      opens_at: '08:00',
      closes_at: '18:00',
    },
  });
}

/** Returns the scheduled checks of that day with user and time. Some are late or missing. */
function listScheduledRounds(day: number, today: number) {
  const poolRounds = poolTargets.flatMap((pool, index) => {
    const rounds = [(day + index) % 9 === 0 ? 10.7 : 7.1 + index * 0.3, 16.4 + index * 0.3];
    return rounds
      .filter((_, round) => (day + index * 4 + round * 5) % 11 !== 0)
      .map((hours) => ({ ...pool, number: day, title: poolCheck, at: today + hours * hourMs }));
  });
  const fireRounds = [
    { username: 'owain', park: 'Kingsley' },
    { username: 'ffion', park: 'Point of Ayr' },
  ]
    .filter((_, index) => new Date(today).getUTCDay() === 1 && (day + index * 7) % 5 !== 0)
    .map((who, index) => ({
      ...who,
      place: undefined,
      number: day,
      title: fireCheck,
      at: today + (11 + index) * hourMs,
    }));
  return [...poolRounds, ...fireRounds];
}

/** Returns the other checks of that day. Each park does them on different days, in the morning. */
const listOtherRounds = (day: number, today: number) =>
  staff
    .map(({ username, park }, index) => ({
      ...{ username, park, place: undefined, number: day + index, title: undefined },
      at: today + (7 + index * 0.4) * hourMs,
    }))
    .filter((_, index) => (day + index * 2) % 6 === 0);

type Round = { park: string; place: string | undefined; number: number; title: string | undefined };

/** Fills in one of the starter checklists at this park, or at a place of it; some answers are failing. */
async function submitDueChecklist(
  fetchAsUser: typeof fetch,
  { park, place, number: index, title }: Round,
  at: Date,
): Promise<void> {
  const places = place === undefined ? [] : await sendRequest(fetchAsUser, api.listPlaces, {});
  const checklists = await sendRequest(fetchAsUser, api.listChecklists, {});
  const { id, sections } = checklists.find((checklist) => checklist.title === title) ?? pick(checklists, index);
  const signature = `data:image/png;base64,${(await drawSignature(index)).toString('base64')}`;
  const isFaulty = index % 9 === 0;
  const fault = 'One item worn, taken out of use and reported to maintenance';
  const failingSection = isFaulty ? sections.findIndex(({ onFail }) => onFail?.when === 'No' && !onFail.audit) : -1;
  const createAnswer = ({ type, title, required, number }: Section, sectionIndex: number) => {
    if (type === 'signature') return signature;
    if (type === 'site') return park;
    if (type === 'date') return getToday(at);
    if (type === 'time') return formatTime(at);
    if (type === 'checkbox') return true;
    if (sectionIndex === failingSection) return 'No';
    if (type === 'na')
      return /closed|out of use/i.test(title) ? (isFaulty ? 'Yes' : 'No') : sectionIndex % 7 === 6 ? 'N/A' : 'Yes';
    if (!required) return isFaulty ? fault : '';
    if (/chlorine/i.test(title)) return /combined/i.test(title) ? '0.4' : `1.${3 + (index % 6)}`;
    if (/ph\b/i.test(title)) return `7.${2 + (index % 4)}`;
    if (number?.unit === '%') return String(40 + ((index * 7) % 45));
    if (number?.unit === '°C')
      return String(/hot/i.test(title) ? 52 + (index % 6) : /cold/i.test(title) ? 11 + (index % 5) : 28 + (index % 3));
    return 'Checked, all in order';
  };
  const data: Answers = {};
  for (const [sectionIndex, section] of sections.entries()) {
    const answer = createAnswer(section, sectionIndex);
    if (answer !== '') data[sectionIndex] = answer;
  }
  await sendRequest(fetchAsUser, api.submitChecklist, {
    body: {
      checklistId: id,
      data,
      placeId: places.find((one) => one.park === park && one.name === place)?.id ?? null,
      ...(failingSection >= 0 && { failures: { [failingSection]: { note: fault, mediaFiles: [] } } }),
    },
  });
}

const signatures = new Map<number, Promise<Buffer>>();

/** Returns the PNG of a signature, as the signature pad creates it; the number chooses one of seven. */
export function drawSignature(number = 0): Promise<Buffer> {
  const style = number % 7;
  const drawn = signatures.get(style) ?? draw(style);
  signatures.set(style, drawn);
  return drawn;
}

const draw = (style: number) => {
  const getHeight = (step: number) => 40 + ((style * 37 + step * 53) % 90);
  const strokePaths = Array.from(
    { length: 5 + (style % 3) },
    (_, step) => `S ${100 + step * 70} ${getHeight(step)} ${130 + step * 66} ${getHeight(step + 3) + 30}`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="white"/><path d="M40 140 C 60 ${getHeight(1)} 80 20 96 110 ${strokePaths.join(' ')}" stroke="black" stroke-width="4" fill="none" stroke-linecap="round"/></svg>`,
    ),
  )
    .png()
    .toBuffer();
};
