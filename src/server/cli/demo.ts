// Demo data: users, reports, audits and submissions, created through the API with real photos.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Role } from '#shared/access.ts';
import type { Answers } from '#shared/answers.ts';
import { api } from '#shared/api.ts';
import type { SectionType } from '#shared/checklists.ts';
import { employmentStatuses, parks } from '#shared/choices.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import type { NewReport } from '#shared/reports.ts';
import { addDemoAudits } from '../audits/demo.ts';
import { hashPassword } from '../auth/passwords.ts';
import { insertStarterChecklists } from '../checklists/starters.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { findUserByName, insertUser } from '../users/store.ts';

export const demoPassword = 'demo-seaside-2026';

export const demoUsers: { username: string; role: Role; park: string }[] = [
  { username: 'carys', role: 'Admin', park: '' },
  { username: 'huw', role: 'Health & Safety Manager', park: '' },
  { username: 'sian', role: 'None', park: 'Lido Beach' },
  { username: 'dewi', role: 'None', park: 'Robin Hood' },
];

const happenings = [
  [
    'Slip',
    'Pool, shallow end',
    'Slipped on the wet step while getting out of the pool. Grazed left knee, cleaned and dressed by a first aider.',
  ],
  [
    'Trip',
    'Plot 114',
    'Tripped over a water hose laid across the path. Sore wrist, ice pack given, advised to see a doctor if it swells.',
  ],
  [
    'Burn',
    'Clubhouse kitchen',
    'Splashed with hot oil while emptying the fryer. Held under cold water for 20 minutes. Burn to right forearm.',
  ],
  [
    'Near miss',
    'Main gate',
    'A reversing delivery van came close to a child on a bicycle. Nobody hurt. The banksman had been called away.',
  ],
  [
    'Gas smell',
    'Plot 27',
    'Guests reported a smell of gas at the regulator. Supply closed, caravan aired, engineer replaced the hose.',
  ],
  [
    'Fall',
    'Play area, climbing frame',
    'Fell from the second rung onto the safety surface. Shaken but unhurt; parents present throughout.',
  ],
] as const;

const people = [
  'Gwen Morris',
  'Tomos Llŷr Evans',
  'Aoife Byrne',
  'Priya Natarajan',
  'Owain Prys',
  'Hannah Whitfield',
  '山田 太郎',
  'Siân Ŵyn Jones',
];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Fills a running server once, detected by the user `sian`. All demo users have `demoPassword`. */
export async function seedDemoData(db: Database, address: string, now: Date): Promise<void> {
  if (await findUserByName(db, 'sian')) return;
  const passwordHash = await hashPassword(demoPassword);
  for (const person of demoUsers)
    await writeTransaction(db, serverActor, now, (db) =>
      insertUser(db, { ...person, passwordHash, mustChangePassword: false }, now),
    );
  // Several users share the uploads, because each has a limit per minute.
  const authors = await Promise.all(demoUsers.map((person) => signIn(address, person.username)));
  const photos = ['gps-DSCN0010.jpg', 'orientation-portrait-6.jpg', 'phone-jolla.jpg', 'orientation-landscape-1.jpg'];
  const bytes = await Promise.all(
    photos.map((name) => readFile(join(import.meta.dirname, '../../../fixtures/photos', name))),
  );
  const signature = await drawSignature();

  for (let index = 0; index < 24; index++) {
    const author = pick(authors, index);
    const image = async (content: Buffer, fileName: string, use: 'photo' | 'signature') => {
      const file = new Blob([new Uint8Array(content)]);
      return (await sendRequest(author, api.uploadImage, { query: { use }, body: {}, file, fileName })).filePath;
    };
    const [type, location, details] = pick(happenings, index);
    const body: NewReport = {
      selectedPlace: pick(parks, index * 3),
      name: pick(people, index),
      age: 8 + ((index * 13) % 70),
      contactNumber: `0770090${String(index).padStart(4, '0')}`,
      reporter: 'Sian Hughes',
      date: getToday(new Date(now.getTime() - index * 6 * 24 * 60 * 60 * 1000)),
      time: `${String(8 + (index % 12)).padStart(2, '0')}:${String((index * 7) % 60).padStart(2, '0')}`,
      type,
      location,
      details,
      employmentStatus: pick(employmentStatuses, index),
      emergencyService: index % 5 === 0 ? 'Ambulance' : 'None',
      mediaFiles: [],
      signature: { path: await image(signature, 'signature-1.png', 'signature') },
      affectedUserSignature: { path: await image(signature, 'signature-2.png', 'signature') },
    };
    for (let number = 0; number <= index % 3; number++) {
      const name = pick(photos, index + number);
      body.mediaFiles.push({ path: await image(pick(bytes, index + number), name, 'photo'), name });
    }
    await sendRequest(author, index % 2 === 0 ? api.submitAccident : api.submitIncident, { body });
  }
  await fillChecklists(db, authors, signature, now);
  await addDemoAudits(pick(authors, 0), now, bytes);
}

/** Submits each starter checklist as some of the users. */
async function fillChecklists(db: Database, authors: (typeof fetch)[], signature: Buffer, now: Date): Promise<void> {
  const by = await findUserByName(db, 'carys');
  if (by) await writeTransaction(db, serverActor, now, (db) => insertStarterChecklists(db, by.id, now));
  const answers: Record<SectionType, string | boolean> = {
    text: 'Checked, all as expected',
    site: 'Lido Beach',
    checkbox: true,
    signature: `data:image/png;base64,${signature.toString('base64')}`,
    time: '09:30',
    date: getToday(now),
    na: 'Yes',
  };
  for (const author of authors.slice(1))
    for (const { id, sections } of await sendRequest(author, api.listChecklists, {})) {
      const data: Answers = Object.fromEntries(sections.map(({ type }, index) => [index, answers[type]]));
      await sendRequest(author, api.submitChecklist, { body: { checklistId: id, data } });
    }
}

/** A fetch with the user's session cookie. */
export async function signIn(address: string, username: string): Promise<typeof fetch> {
  const response = await fetch(address + api.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return (path, init) => fetch(address + path, { ...init, headers: { ...(init?.headers as object), cookie } });
}

/** A black signature, as the signature pad creates it. */
export const drawSignature = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="white"/><path d="M40 140 C 90 20 120 20 130 110 S 190 150 210 90 S 260 60 270 120 S 330 140 350 80 S 420 70 430 120 T 560 90" stroke="black" stroke-width="4" fill="none" stroke-linecap="round"/></svg>',
    ),
  )
    .png()
    .toBuffer();
