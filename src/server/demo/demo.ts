// Creates two seasons of demo data: invented users submit records through the API, day after day,
// with a simulated clock.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '#shared/api.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import type { NewReport } from '#shared/reports/reports.ts';
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
import {
  addDemoChecklists,
  addDemoPlaces,
  addSchedules,
  createRounds,
  formatTime,
  listRounds,
  listRoundsOfNow,
  scheduledDays,
} from './checks.ts';
import { everyTypeChecklist } from './every-type.ts';
import { addDemoInvestigations, addDemoLesson } from './investigations.ts';
import { addDemoMessages } from './messages.ts';
import { adults, children, demoEvents, demoUsers, otherStaff } from './season.ts';
import { drawSignature } from './signatures.ts';

export const demoPassword = 'demo-seaside-2026';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
/** This season and the previous one, which the overview compares. DEMO_DAYS=30 starts faster. */
const defaultDays = Number(process.env.DEMO_DAYS ?? 575);
/** Reports of the last days that no reviewer has opened yet. */
const unopenedDays = 10;
/** Days from one report to the next: parks are full from April to September, and the last week has some to read. */
const getReportInterval = (at: Date, daysAgo: number) =>
  daysAgo <= 7 ? 2 : at.getUTCMonth() >= 3 && at.getUTCMonth() <= 8 ? 3 : 9;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * Fills an installation that no server is using. Does nothing if the demo's user Siân exists,
 * because then it is filled already.
 */
export async function seedDemoData(config: Config, now: Date, demoDays = defaultDays): Promise<void> {
  let at = now.getTime() - demoDays * dayMs;
  const server = await start(
    {
      ...{ ...config, port: 0, guestPort: 0, host: '127.0.0.1', publicUrl: '' },
      // A season of requests arrives within minutes.
      rates: { ...config.rates, perUser: Infinity, perNetwork: Infinity },
    },
    { clock: createClock(() => at), registerPages: async () => {} },
  );
  const db = await connect(config);
  try {
    if (await findUserByName(db, 'sian')) return;
    const ids = await addUsers(db, new Date(at));
    /** Returns a `fetch` for this user, signed in at the time of the simulated clock. */
    const signInAs = (username: string) => signIn(config, db, server.address, ids.get(username) ?? '', new Date(at));
    const carysId = ids.get('carys') ?? '';
    await addDemoChecklists(await signInAs('carys'));
    await addDemoPlaces(await signInAs('carys'));
    const submitRound = await createRounds(await signInAs('carys'));
    const photos = await readPhotos();
    const midnight = Math.floor(at / dayMs) * dayMs;
    const reporters = [...demoUsers.filter(({ park }) => park !== ''), ...otherStaff];
    let reportCount = 0;
    for (let day = 1; day < demoDays; day++) {
      const today = midnight + day * dayMs;
      if (day === Math.max(1, demoDays - scheduledDays)) {
        at = Math.max(at, today);
        await addSchedules(await signInAs('carys'), getToday(new Date(at)), now);
      }
      if (day === demoDays - unopenedDays)
        for (const reviewer of ['carys', 'huw'])
          await sendRequest(await signInAs(reviewer), api.readAllNotifications, {});
      await insertComingChecks(db, new Date(at));
      for (const round of listRounds(demoDays - day, today)) {
        at = Math.max(at, round.at);
        await submitRound(await signInAs(round.username), round, new Date(at));
      }
      if (day % getReportInterval(new Date(today), demoDays - day) !== 0) continue;
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
    at = now.getTime();
    await insertComingChecks(db, now);
    for (const round of listRoundsOfNow()) await submitRound(await signInAs(round.username), round, now);
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
  const names = ['Launderette', 'Clubhouse', 'Arcade', 'Main gate', 'Slipway', 'Plot 112'];
  await sendRequest(fetchAsUser, api.addPlaces, { body: { park, names } });
  await sendRequest(fetchAsUser, api.addLabels, { body: { park } });
  const numbers = { guestTelephone: '01632 960999', gasTelephone: '0800 111 999' };
  await sendRequest(fetchAsUser, api.saveParkSettings, { body: { park, ...numbers } });
}
