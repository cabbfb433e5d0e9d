// Whatever people type, in any field of any call, comes back as they typed it or is refused in words; nothing in it is ever
// carried out. The fields are read from the table of calls, so that a new one is tried without a line here.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseAnswers } from '#shared/answers.ts';
import { type Api, api, contract, type EndpointName } from '#shared/api.ts';
import { sectionTypes } from '#shared/checklists.ts';
import { type ApiError, sendRequest } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { isStorable } from '#shared/text.ts';
import { getUsernameKey } from '#shared/users.ts';
import { hashPassword } from './auth/passwords.ts';
import { newAudit, newFolder, newReport } from './testing/factories.ts';
import { getValueAt, withValue } from './testing/fields.ts';
import {
  expectAsTyped,
  expectWords,
  freely,
  fromAddress,
  hasQuery,
  isRefusedPassword,
  isTooLong,
  loosePaths,
  mayBeRefused,
  placesOf,
  type Recipe,
  type Sent,
  schemaOf,
  type World,
} from './testing/naughty-fields.ts';
import { naughtyStrings, runForAll } from './testing/naughty-strings.ts';
import { engines, password, startTestServer } from './testing/server.ts';
import { insertUser } from './users/store.ts';

// Hashing a password with care takes longer than all the rest; here the words count.
vi.mock(import('@node-rs/argon2'), async (original) => {
  const argon2 = await original();
  return { ...argon2, hash: (secret) => argon2.hash(secret, { memoryCost: 8, timeCost: 1 }) };
});

type Fielded = { [N in EndpointName]: Api[N] extends { body: unknown } | { query: unknown } ? N : never }[EndpointName];

const byId = <T extends { id: string }>(things: T[], shape: (thing: T) => object = (thing) => thing) =>
  new Map(things.map((thing) => [thing.id, shape(thing)]));
const asAdmin = ({ admin }: World) => ({ as: admin });
const aName = () => `person.${randomUUID().slice(0, 13)}`;

const submitReport: Recipe = {
  prepare: async (world) => {
    const [photo = '', signature = '', affected = ''] = await loosePaths(world, 3);
    const files = {
      mediaFiles: [{ path: photo, name: '', storageType: 'server' }],
      signature: { path: signature },
      affectedUserSignature: { path: affected },
      affectedUserSignedBy: { name: 'Mary Barker', capacity: 'Could not sign', reason: 'Her hand is in plaster' },
    };
    return { as: world.admin, body: { ...world.report, ...files } };
  },
  // The server knows the type itself.
  ignored: ['mediaFiles.0.type'],
  kept: async ({ admin }) => byId(await admin(api.listReports)),
};
const folderBody = { name: 'Fire safety', description: 'Monthly rounds', park: 'Lido Beach' };
const keptFolders: Recipe['kept'] = async ({ admin }) => byId(await admin(api.listFolders));
const number = { unit: 'pH', min: 7.2, max: 7.6 };
const audit = { urgent: false, days: 1, assignees: { 'Lido Beach': 'sian' } };
const onFail = { when: 'outOfRange', photo: 'optional', audit };
const checklistBody = { title: 'Pool', sections: [{ title: 'Gate', type: 'text', required: false, number, onFail }] };
const withinChecklist = { 'sections.0.onFail.audit.assignees': ['Lido Beach'] };
const keptChecklists: Recipe['kept'] = async ({ admin }) => byId(await admin(api.listChecklists));
const scheduleBody = {
  parks: ['Mounds'],
  repeat: 'daily',
  opens_at: '06:00',
  closes_at: '10:00',
  starts_on: '2026-01-01',
  season_from: '03-01',
  season_to: '10-31',
  ends_on: '2099-12-31',
  gate: 'Pool',
};
const keptSchedules: Recipe['kept'] = async ({ admin }) => byId(await admin(api.listSchedules));
const media = async (world: World) => (await loosePaths(world, 1)).map((path) => ({ path, name: '' }));
const sections = sectionTypes.map((type) => ({ title: type, type, required: false }));

const asCsv: Recipe['prepare'] = ({ admin }) => ({ as: admin, query: { format: 'csv' } });

// A call that takes something and has no line here does not compile.
const recipes: Record<Fielded, Recipe> = {
  login: {
    prepare: ({ server }, at) => ({
      as: fromAddress(server.anonymous, at),
      body: { username: aName(), password: 'x' },
    }),
    isCounted: true,
    status: 401,
  },
  changePassword: {
    async prepare({ server }, at) {
      const username = aName();
      const person = { username, passwordHash: await hashPassword(password), role: 'None' as const, park: '' };
      const id = await insertUser(server.db, { ...person, mustChangePassword: false }, new Date());
      const as = await server.enter(id, username);
      return { as: fromAddress(as, at), username, body: { currentPassword: password, newPassword: aName() } };
    },
    refuses: (place, text) => place === 'newPassword' && isRefusedPassword(text),
    names: { currentPassword: 400 },
    isCounted: true,
    secret: 'newPassword',
    oneIn: 5,
  },
  uploadImage: { prepare: asAdmin, status: 400, oneIn: 5 },
  submitAccident: submitReport,
  submitIncident: { ...submitReport, oneIn: 5 },
  listReports: { prepare: asAdmin },
  listReportMonths: { prepare: ({ admin }) => ({ as: admin, query: { reportType: 'accident' } }) },
  submitChecklist: {
    prepare: ({ admin, ids }) => ({ as: admin, body: { checklistId: ids.checklist, data: {} } }),
    within: { data: sections.map((_, at) => String(at)) },
    refuses: (place, text) => {
      const [, index] = place.split('.');
      return index !== undefined && Object.keys(parseAnswers(sections, { [index]: text }).errors).length > 0;
    },
    names: { checklistId: 404 },
    kept: async ({ admin }) => byId(await admin(api.listSubmissions)),
  },
  createChecklist: {
    prepare: ({ admin }) => ({ as: admin, body: checklistBody }),
    within: withinChecklist,
    kept: keptChecklists,
  },
  updateChecklist: {
    prepare: async ({ admin }) => ({
      as: admin,
      body: checklistBody,
      params: { id: (await admin(api.createChecklist, { body: checklistBody as never })).id },
    }),
    within: withinChecklist,
    kept: keptChecklists,
  },
  listDueChecks: { prepare: asAdmin },
  listChecks: { prepare: asAdmin },
  createSchedule: {
    prepare: ({ admin, ids }) => ({ as: admin, body: { checklist_id: ids.checklist, ...scheduleBody } }),
    names: { checklist_id: 404 },
    kept: keptSchedules,
    oneIn: 5,
  },
  updateSchedule: {
    prepare: async ({ admin, ids }) => ({
      as: admin,
      body: scheduleBody,
      params: {
        id: (await admin(api.createSchedule, { body: { checklist_id: ids.checklist, ...scheduleBody } as never })).id,
      },
    }),
    kept: keptSchedules,
    oneIn: 5,
  },
  createClosure: {
    prepare: ({ admin }) => ({
      as: admin,
      body: { park: 'Mounds', starts_on: '2099-12-24', ends_on: '2099-12-26' },
    }),
    kept: async ({ admin }) => byId(await admin(api.listClosures)),
    oneIn: 5,
  },
  explainMissedCheck: {
    prepare: ({ admin }) => ({ as: admin, params: { id: 'none' }, body: { reason: 'Storm' } }),
    status: 404,
    oneIn: 5,
  },
  listSubmissions: { prepare: asAdmin },
  createFolder: { prepare: ({ admin }) => ({ as: admin, body: folderBody }), kept: keptFolders },
  updateFolder: {
    prepare: async ({ admin }) => ({ as: admin, params: { id: await newFolder(admin) }, body: folderBody }),
    kept: keptFolders,
  },
  createAudit: {
    prepare: async (world) => ({
      as: world.admin,
      body: newAudit(world.ids.folder, {
        media_files: await media(world),
        source: {
          thing: 'audit',
          id: (await world.admin(api.createAudit, { body: newAudit(world.ids.folder) })).id,
          photos: [`/uploads/2026/01/${newId()}.png`],
        },
      }),
    }),
    names: { folder_id: 404, 'source.id': 404 },
    ignored: ['media_files.0.type'],
    kept: async ({ admin, ids }) => byId(await admin(api.listAudits, { params: { folderId: ids.folder } })),
  },
  listOpenAudits: { prepare: asAdmin },
  addAuditNote: {
    prepare: async (world) => ({
      as: world.admin,
      params: { id: (await world.admin(api.createAudit, { body: newAudit(world.ids.folder) })).id },
      body: { text: 'The leak is back', media_files: await media(world) },
    }),
    ignored: ['media_files.0.type'],
  },
  updateAudit: {
    async prepare(world) {
      const { id } = await world.admin(api.createAudit, { body: newAudit(world.ids.folder) });
      return { as: world.admin, params: { id }, body: { data: { media_files: await media(world) } } };
    },
    // Beside `data` they count first.
    ignored: ['data.media_files.0.type', 'data.date', 'data.time'],
    kept: async ({ admin, ids }) =>
      byId(await admin(api.listAudits, { params: { folderId: ids.folder } }), (audit) => ({ ...audit, data: audit })),
  },
  userExists: { prepare: ({ admin }) => ({ as: admin, body: { username: 'x' } }), oneIn: 5 },
  createUser: {
    prepare({ admin }) {
      const username = aName();
      return { as: admin, username, body: { username, password: 'a walk along the shore', role: 'None', park: '' } };
    },
    refuses: (place, text) => place === 'password' && isRefusedPassword(text),
    sameAs: { username: getUsernameKey },
    secret: 'password',
    ignored: ['password'],
    kept: async ({ admin }) => byId(await admin(api.listUsers)),
  },
  assignRole: {
    prepare: ({ admin }) => ({ as: admin, body: { username: 'nobody.here', role: 'None', park: '' } }),
    status: 404,
  },
  resetPassword: { prepare: ({ admin }) => ({ as: admin, body: { id: 'nobody' } }), status: 404, oneIn: 5 },
  // None of the texts is a list of people; as names in such a list they are tried below.
  importUsers: { prepare: ({ admin }) => ({ as: admin, body: { csv: 'x' } }), status: 400, oneIn: 5 },
  getReportPdf: { prepare: (world) => ({ as: world.admin, params: { id: world.ids.report } }), oneIn: 5 },
  // Of a version that no assessment has: the texts are read, and nothing is kept.
  saveAssessment: {
    prepare: (world) => ({
      as: world.admin,
      params: { id: world.ids.report },
      body: { version: 9999, answers: {}, people: [], particulars: {} },
    }),
    status: 409,
  },
  decideAssessment: {
    prepare: (world) => ({
      as: world.admin,
      params: { id: world.ids.report },
      body: { version: 9999, decision: 'record', reason: 'No day was lost' },
    }),
    status: 409,
  },
  addRiddorNotice: {
    prepare: (world) => ({
      as: world.admin,
      params: { id: world.ids.report },
      body: { duties: [], how: 'telephone', on: '2026-01-01', hseReference: 'ABC', note: 'Told them' },
    }),
    status: 409,
  },
  listOpenDuties: { prepare: asAdmin },
  countDuties: { prepare: asAdmin },
  setHold: {
    prepare: ({ admin }) => ({
      as: admin,
      body: { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2027-01-01' },
    }),
  },
  releaseDeleted: {
    prepare: ({ admin }) => ({ as: admin, params: { id: 'nobody' }, body: { reason: 'A duplicate' } }),
    status: 404,
  },
  listNotifications: { prepare: asAdmin },
  saveNotificationSettings: {
    prepare: ({ admin }) => ({ as: admin, body: { off: [{ kind: 'reportFiled', channel: 'email' }] } }),
  },
  addPushSubscription: {
    prepare: ({ admin }) => ({ as: admin, body: { endpoint: 'https://x', keys: { p256dh: 'A', auth: 'A' } } }),
    status: 400,
  },
  removePushSubscription: { prepare: ({ admin }) => ({ as: admin, body: { endpoint: 'https://x' } }) },
  deleteReport: {
    prepare: ({ admin }) => ({ as: admin, params: { id: 'nobody' }, body: { reason: 'A duplicate' } }),
    status: 404,
  },
  runRetention: {
    prepare: ({ admin }) => ({ as: admin, body: { hash: '0'.repeat(64), ids: ['nobody'], count: 1 } }),
    status: 409,
  },
  listActivity: { prepare: asAdmin },
  exportReports: { prepare: asCsv },
  exportSubmissions: { prepare: asCsv },
  exportAudits: { prepare: asCsv },
  exportUsers: { prepare: asCsv },
  exportActivity: { prepare: asCsv },
  getReportHistory: {
    prepare: async (world) => ({ as: world.admin, params: { id: world.ids.report } }),
  },
};

/** Every text in every field of every call over the wire takes minutes; without it, each text is sent in one field of each call. */
const inAll = process.env.ODD_TEXTS === 'all';

describe.each(engines)('naughty strings on %s', (engine) => {
  let world: World;
  beforeAll(async () => {
    const server = await startTestServer(engine, { TRUST_PROXY: '127.0.0.1' });
    const admin = await server.as('Admin');
    const report = await newReport(admin);
    const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
    const checklist = await admin(api.createChecklist, { body: { title: 'All', sections } });
    world = { server, admin, report, ids: { report: id, folder: await newFolder(admin), checklist: checklist.id } };
  });
  afterAll(() => world.server.stop());

  // What is neither kept nor looked for is the same on either engine.
  const isStored = ([name, { kept }]: [string, Recipe]) => kept || /^list/.test(name);
  test.each(Object.entries(recipes).filter((recipe) => engine === 'sqlite' || isStored(recipe)))(
    'in each field of %s are stored as typed or rejected with a message',
    async (name, recipe) => {
      const row: Endpoint = contract[name as EndpointName];
      const part = hasQuery(row) ? 'query' : 'body';
      const places = placesOf(row, recipe);
      const { names = {}, ignored = [], status = row.status } = recipe;
      const base = (await recipe.prepare(world, 0))[part] ?? {};
      const isRead = (place: string, text: string) => {
        const { error } = schemaOf(row).safeParse(withValue(base, place, text));
        return isStorable(text) && !error?.issues.some((issue) => issue.path.join('.') === place);
      };
      const isGood = (place: string, text: string) => isRead(place, text) && !recipe.refuses?.(place, text);

      // What each field takes, and what it does not. Of all that, each fourth text is sent in one field of each call; on PostgreSQL half of those.
      const shift = engines.indexOf(engine);
      const texts = new Map(
        places.map((place, nth) => {
          // Each engine searches in its own way: every text is looked for.
          const isMine = (at: number) =>
            inAll ||
            (place === 'q' && name !== 'listReportMonths') ||
            (at + shift) % (places.length * (recipe.oneIn ?? 1) * (engine === 'sqlite' ? 4 : 8)) === nth;
          const known = naughtyStrings.flatMap((text, at) =>
            // The schemas are the same on either engine.
            engine === 'sqlite' || isMine(at) ? [{ text, isMine: isMine(at), isGood: isGood(place, text) }] : [],
          );
          if (freely.every((text) => isGood(place, text)))
            for (const { text, isGood } of known)
              if (!isGood && !recipe.refuses?.(place, text)) expect([text, mayBeRefused(text)]).toEqual([text, true]);
          const same = recipe.sameAs?.[place] ?? ((text: string) => text);
          const mine = known.filter(({ isMine }) => isMine);
          const good = new Map(mine.flatMap(({ text, isGood }) => (isGood ? [[same(text), text]] : [])));
          return [place, { good: [...good.values()], bad: mine.flatMap(({ text, isGood }) => (isGood ? [] : [text])) }];
        }),
      );
      const put = (sent: Sent, changes: Map<string, string>): Sent => {
        let value = sent[part] ?? {};
        for (const [place, text] of changes) value = withValue(value, place, text);
        return { ...sent, [part]: value };
      };
      const send = (sent: Sent) =>
        sendRequest(sent.as.fetch, row, sent as never) as Promise<{ id?: string } | undefined>;
      /** One call after another, each with the next text of each list. */
      const rounds = (listOf: (place: string) => string[]) => {
        const length = Math.max(0, ...places.map((place) => listOf(place).length));
        return Array.from({ length }, (_, at) => {
          const next = places.flatMap((place) => {
            const text = listOf(place)[at];
            return text === undefined ? [] : [[place, text] as const];
          });
          return new Map(next);
        });
      };

      const stored = new Map<string, Map<string, string>>();
      await runForAll(
        rounds((place) => (place in names ? [] : (texts.get(place)?.good ?? []))),
        async (changes, at) => {
          const prepared = await recipe.prepare(world, at);
          const sent = put(prepared, changes);
          const reply = await send(sent).catch((error: unknown) => {
            if (status < 300) throw new Error(`${JSON.stringify([...changes])}: ${(error as ApiError).text}`);
            expectWords(error, status, JSON.stringify([...changes]));
            return undefined;
          });
          const id = reply?.id ?? prepared.params?.id;
          if (id) stored.set(id, changes);
          const secret = recipe.secret && changes.get(recipe.secret);
          if (secret) await world.server.signIn(changes.get('username') ?? prepared.username ?? '', '', secret);
        },
      );
      if (recipe.kept && stored.size > 0) {
        const kept = await recipe.kept(world);
        for (const [id, changes] of stored)
          for (const [place, text] of changes)
            if (!ignored.includes(place)) expectAsTyped(getValueAt(kept.get(id), place), place, text, row);
      }

      const one = await recipe.prepare(world, 0);
      const failed = (sent: Sent) => send(sent).catch((error: unknown) => error);
      const storable = (place: string) => texts.get(place)?.bad.filter((text) => isStorable(text) && text !== '') ?? [];
      await runForAll(rounds(storable), async (changes, at) => {
        const sent = put(recipe.isCounted ? await recipe.prepare(world, at) : one, changes);
        const fields = expectWords(await failed(sent), 400, JSON.stringify([...changes]));
        if (isTooLong(row, sent)) return;
        // What cannot be read is said first, and what the call will not have when all can be read.
        const unread = [...changes].flatMap(([place, text]) => (isRead(place, text) ? [] : [place]));
        expect(Object.keys(fields).toSorted()).toEqual((unread.length > 0 ? unread : [...changes.keys()]).toSorted());
      });
      for (const place of places) {
        const { good = [], bad = [] } = texts.get(place) ?? {};
        for (const text of bad.filter((text) => !isStorable(text)))
          expectWords(await failed(put(one, new Map([[place, text]]))), 400, text);
        const status = names[place];
        if (status)
          await runForAll(good, async (text, at) => {
            const prepared = recipe.isCounted ? await recipe.prepare(world, at) : one;
            expectWords(await failed(put(prepared, new Map([[place, text]]))), status, text);
          });
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );
});
