// Writes of the crash test that take several steps or touch many rows: messages of guests with photos, sections of
// investigations, lessons to 20 parks, verifications, joined places and second factors. Each is sent again after a
// crash if it was not acknowledged, and must then be there once and whole.
import { randomUUID } from 'node:crypto';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { ApiError } from '#shared/client.ts';
import type { Database } from '../db/schema.ts';
import { generateAppCode } from '../sign-in/factors/app-codes.ts';
import { insertUser } from '../users/store.ts';
import { newLesson, uploadPhoto } from './factories.ts';
import { openForm, sendForm } from './guests.ts';
import { readRows } from './rows.ts';
import { signInAt, type TestClient } from './server.ts';

/** A text that no release takes for a number or a name. */
const createWord = () => randomUUID().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

type Write = {
  kind: string;
  client: number;
  isAcknowledged: boolean;
  /** Sends it, or sends it again with the same keys. */
  send(session: TestClient): Promise<void>;
  /** Throws unless what was acknowledged is there once, and nothing by half. */
  check(isAcknowledged: boolean): Promise<void>;
};
type NewWrite = Pick<Write, 'kind' | 'send' | 'check'>;

type Options = { db: Database; photo: Buffer; passwordHash: string; guestUrl: string; getUrl(): string };
/** Records of the client that an investigation can be about, or that can be verified. */
type Own = { report: string | undefined; folder: string | undefined; getColleague(): TestClient | undefined };

function assertEqual(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}.`);
}

const countRows = (rows: unknown[], isAcknowledged: boolean, what: string): number => {
  // Without an acknowledgement it may have been stored, or not.
  if (isAcknowledged || rows.length > 1) assertEqual(what, rows.length, 1);
  return rows.length;
};

/** Prepares the writes. Call `prepare` once with an Admin's session. */
export function createWrites({ db, photo, passwordHash, guestUrl, getUrl }: Options) {
  const writes: Write[] = [];
  let labels: string[] = [];
  const investigated = new Set<string>();

  const readPhotos = (attached_id: string) =>
    db.selectFrom('uploads').select('path').where('attached_id', '=', attached_id).execute();

  /** A message of a guest; half of them with a photo. */
  function sendAsGuest(): NewWrite {
    const words = createWord();
    const hasPhoto = Math.random() < 0.5;
    const label = labels[Math.floor(Math.random() * labels.length)] ?? '';
    const ip = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
    let form = '';
    let isPhotoMissing = false;
    return {
      kind: 'messages of guests',
      async send() {
        form ||= await openForm({ guestUrl }, label);
        const fields = { form, words, hurt: 'no', ...(hasPhoto && { photo: new Blob([new Uint8Array(photo)]) }) };
        const { status, headers } = await sendForm({ guestUrl }, label, fields, ip);
        if (status !== 303) throw new ApiError(status, 'a message of a guest');
        isPhotoMissing = headers.get('location')?.endsWith('photo=missing') ?? false;
      },
      async check(isAcknowledged) {
        const rows = await db.selectFrom('guest_messages').selectAll().where('words', '=', words).execute();
        if (countRows(rows, isAcknowledged, `Messages of a guest '${words}'`) === 0) return;
        const [row] = rows;
        const paths = (JSON.parse(row?.media_files ?? '[]') as { path: string }[]).map(({ path }) => path);
        assertEqual(
          `The photos of message ${row?.id}`,
          (await readPhotos(row?.id ?? '')).map(({ path }) => path),
          paths,
        );
        if (isAcknowledged && !isPhotoMissing)
          assertEqual(`The photos of message ${row?.id}`, paths.length, hasPhoto ? 1 : 0);
        assertEqual(`How often '${words}' was sent`, row?.sent_count, 1);
      },
    };
  }

  /** An investigation of a report, and a text in one of its sections. */
  function investigate(report: string): NewWrite {
    const key = randomUUID();
    const text = createWord();
    return {
      kind: 'investigations',
      async send(session) {
        const { id } = await session(api.createInvestigation, { body: { thing: 'report', id: report }, key });
        const { facts } = (await session(api.getInvestigation, { params: { id } })).sections;
        if (facts.content.text === text) return;
        const body = { section: 'facts' as const, version: facts.version, content: { ...facts.content, text } };
        await session(api.saveInvestigationSection, { params: { id: facts.id }, body: body as never });
      },
      async check(isAcknowledged) {
        const records = await readRows(db, 'investigation_records', { thing_id: report });
        if (countRows(records, isAcknowledged, `Investigations of report ${report}`) === 0) return;
        const sections = await readRows(db, 'investigation_sections', {
          investigation_id: records[0]?.investigation_id ?? '',
        });
        assertEqual(`The sections of the investigation of report ${report}`, sections.length, 6);
        const facts = sections.find(({ section }) => section === 'facts');
        if (isAcknowledged)
          assertEqual(`What happened in report ${report}`, JSON.parse(facts?.content ?? '').text, text);
      },
    };
  }

  /** A lesson, which is an audit at each of 20 parks; some have a photo, of which each audit has a copy. */
  function teach(): NewWrite {
    const key = randomUUID();
    const title = createWord();
    let photos: { path: string; name: string }[] = [];
    const wantsPhoto = Math.random() < 0.3;
    return {
      kind: 'lessons',
      async send(session) {
        if (wantsPhoto && photos.length === 0) photos = [{ path: await uploadPhoto(session), name: '' }];
        const body = newLesson({ title, photos, isPhotoChecked: true, parks: [...parks] });
        await session(api.createLesson, { body, key } as never);
      },
      async check(isAcknowledged) {
        const rows = await db.selectFrom('lessons').select('id').where('title', '=', title).execute();
        if (countRows(rows, isAcknowledged, `Lessons '${title}'`) === 0) return;
        const id = rows[0]?.id ?? '';
        const audits = await db.selectFrom('audits').select(['id', 'data']).where('source_id', '=', id).execute();
        assertEqual(`The audits of lesson ${id}`, audits.length, parks.length);
        for (const audit of audits) {
          const files = (JSON.parse(audit.data).media_files ?? []) as { path: string }[];
          const paths = files.map(({ path }) => path);
          assertEqual(
            `The photos of audit ${audit.id}`,
            (await readPhotos(audit.id)).map(({ path }) => path),
            paths,
          );
          assertEqual(`The photos of audit ${audit.id}`, paths.length, photos.length);
        }
      },
    };
  }

  /** An audit that is completed, and then verified by a colleague. */
  function verify(folder_id: string, getColleague: Own['getColleague']): NewWrite {
    const [key, verificationKey] = [randomUUID(), randomUUID()];
    const title = createWord();
    return {
      kind: 'verifications',
      async send(session) {
        const body = { folder_id, title, verification: {} };
        const { id } = await session(api.createAudit, { body, key } as never);
        const { data } = await session(api.getAudit, { params: { id } });
        if (!data.completed) await session(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
        const outcome = { outcome: 'works' as const, text: 'I looked' };
        await getColleague()?.(api.verifyAudit, { params: { id }, body: outcome, key: verificationKey });
      },
      async check(isAcknowledged) {
        const audits = await db.selectFrom('audits').select(['id', 'completed']).where('title', '=', title).execute();
        if (countRows(audits, isAcknowledged, `Audits '${title}'`) === 0) return;
        const notes = await readRows(db, 'audit_notes', { audit_id: audits[0]?.id ?? '', outcome: 'works' });
        if (countRows(notes, isAcknowledged, `Verifications of '${title}'`) > 0)
          assertEqual(`Whether '${title}' is completed`, audits[0]?.completed, 1);
      },
    };
  }

  /** Two places, one of which is joined into the other. */
  function join(): NewWrite {
    const names = [createWord(), createWord()];
    const readPlaces = () => db.selectFrom('places').selectAll().where('name', 'in', names).execute();
    const find = async () => {
      const rows = await readPlaces();
      return names.map((name) => rows.find((row) => row.name === name));
    };
    return {
      kind: 'joined places',
      async send(session) {
        // The name of a joined place is free again.
        if ((await readPlaces()).length < 2) await session(api.addPlaces, { body: { park: 'Mounds', names } });
        const [from, into] = await find();
        if (from?.joined_into) return;
        await session(api.joinPlaces, { params: { id: from?.id ?? '' }, body: { into: into?.id ?? '' } });
      },
      async check(isAcknowledged) {
        const rows = await readPlaces();
        if (rows.length === 0 && !isAcknowledged) return;
        assertEqual(`The places ${names.join(', ')}`, rows.length, 2);
        const [from, into] = await find();
        if (isAcknowledged) assertEqual(`Into what ${names[0]} is joined`, from?.joined_into, into?.id);
      },
    };
  }

  /** A second factor of a user of its own. */
  function setUpFactor(): NewWrite {
    const username = createWord();
    let userId = '';
    let isSetUp = false;
    const readState = async () => {
      const factors = await readRows(db, 'authenticators', { user_id: userId });
      const codes = await readRows(db, 'recovery_codes', { user_id: userId });
      return {
        isOn: factors.some(({ is_confirmed }) => is_confirmed === 1),
        codes: codes.filter(({ is_confirmed }) => is_confirmed === 1).length,
      };
    };
    return {
      kind: 'second factors',
      async send() {
        const user = { username, passwordHash, role: 'None' as const, park: 'Mounds', mustChangePassword: false };
        userId ||= await insertUser(db, user, new Date());
        if ((await readState()).isOn) return;
        const session = await signInAt(getUrl(), username);
        const { key } = await session(api.startAppSetUp);
        const code = generateAppCode(key, new Date());
        const { recoveryCodes: [recoveryCode = ''] = [] } = await session(api.checkAppSetUp, { body: { code } });
        await session(api.confirmRecoveryCodes, { body: { code: recoveryCode } });
        isSetUp = true;
      },
      async check() {
        if (!userId) return;
        const { isOn, codes } = await readState();
        // A code that was typed back is used up, but stays.
        assertEqual(`The recovery codes of ${username}`, codes, isOn ? 10 : 0);
        if (isSetUp) assertEqual(`Whether ${username} has a second factor`, isOn, true);
      },
    };
  }

  function choose({ report, folder, getColleague }: Own): NewWrite {
    const number = Math.random();
    if (number < 0.15 && report && !investigated.has(report)) {
      investigated.add(report);
      return investigate(report);
    }
    if (number < 0.3 && folder && getColleague()) return verify(folder, getColleague);
    if (number < 0.4) return teach();
    if (number < 0.5) return join();
    if (number < 0.55) return setUpFactor();
    return sendAsGuest();
  }

  return {
    async prepare(session: TestClient) {
      const names = Array.from({ length: 40 }, (_, at) => `Block ${at}`);
      await session(api.addPlaces, { body: { park: 'Kingsley', names } });
      await session(api.addLabels, { body: { park: 'Kingsley' } });
      const places = await session(api.listPlaces);
      labels = places.flatMap(({ label }) => label ?? []);
    },
    /** Sends one of them, chosen at random. */
    async sendOne(client: number, session: TestClient, own: Own) {
      const write: Write = { client, isAcknowledged: false, ...choose(own) };
      writes.push(write);
      await write.send(session);
      write.isAcknowledged = true;
    },
    /** Sends again what was not acknowledged. Returns how many. */
    async sendAgain(getSession: (client: number) => TestClient): Promise<number> {
      const waiting = writes.filter(({ isAcknowledged }) => !isAcknowledged);
      for (const write of waiting) {
        // What a crash left of it.
        await write.check(false);
        await write.send(getSession(write.client));
        write.isAcknowledged = true;
      }
      return waiting.length;
    },
    /** Returns how many of each kind were acknowledged. */
    count: () =>
      Object.fromEntries([...Map.groupBy(writes, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length])),
    /** Checks the latest writes, or all of them. */
    async check(count = writes.length) {
      for (const write of writes.slice(-count)) await write.check(write.isAcknowledged);
    },
  };
}
