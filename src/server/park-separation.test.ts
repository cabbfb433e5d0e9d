// Staff of one park call the endpoints they may use, except `leftOut`, and reviewers those that read,
// except PDFs, with the records of another park. No response, notification, email or push message to
// staff contains anything from them, and none to reviewers anything from its folders and audits.
// Generated from the contract, so that new endpoints are covered.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAllowed } from '#shared/access.ts';
import { api, contract, type EndpointName } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { sendAuditReminders } from './audits/reminders.ts';
import { remindOfDeadlines } from './law/reminders.ts';
import { sendWeeklyDigest } from './overview/digest.ts';
import { kindEntries } from './records/kinds.ts';
import { notifyOfMissedChecks } from './schedules/missed.ts';
import { message, place, sharedDevice } from './testing/access-records.ts';
import { endpointCases } from './testing/endpoint-cases.ts';
import { newAudit, newFolder, newReport, uploadPhoto } from './testing/factories.ts';
import { startMailServer } from './testing/mail-server.ts';
import { writeParkList } from './testing/park-list.ts';
import { startPushService } from './testing/push-service.ts';
import { engines, type TestClient } from './testing/server.ts';
import { longSessions } from './testing/settings.ts';
import { createTestServer, setUp } from './testing/test-server.ts';

/** Of a list of the operator's own, with signs that queries, HTML and JSON could misread. One name begins another. */
const [ownPark, otherPark, secondPark] = [`Môn's & <Bay>`, `Môn's & <Bay>/1 🏖️`, 'Zion "Sea"'] as const;
const secret = 'Zyxwv';
/** In folders and audits only, which reviewers of other parks may not see either. */
const auditSecret = 'Qjkvw';
const day = 24 * 60 * 60_000;

type Input = { query?: Record<string, string>; body?: object };

/** The input of endpoints whose valid request (`endpointCases`) would find none of the other park's records. */
const inputs: Partial<Record<EndpointName, Input>> = {
  getOverview: { query: { from: '2026-11-01', to: '2026-12-31' } },
  listAuditsOnDay: { query: { state: 'open', on: '2026-12-10' } },
  // Would confirm who it is for the endpoints after it.
  confirmIdentity: {},
  // Finds its words in every record of the other park.
  searchEverything: { body: { q: secret } },
  // With the place of another park in overview/readings.test.ts.
  exportReadings: { query: { format: 'csv', place: 'no place' } },
};

/** Endpoints that are not tested, because they are about the calling user or end the session. */
const leftOut: EndpointName[] = [
  'login',
  'logout',
  'changePassword',
  'requestEmailChange',
  'confirmEmailChange',
  'endSessions',
];

describe.each(engines)('staff of one park and another park on %s', (engine) => {
  const parkList = writeParkList([ownPark, otherPark, secondPark]);
  /** The ids of the other park's records, which no response may contain. */
  const ids: string[] = [];
  let photoPath: string;
  let now = Date.parse('2026-12-01T12:00:00Z');

  const mail = setUp(startMailServer);
  const push = setUp(startPushService);
  const { server, admin } = createTestServer(
    engine,
    () => ({ ...mail.settings, ...push.settings, ...longSessions, PARKS_FILE: parkList.path }),
    () => now,
  );
  const staff = server.user('None', ownPark);
  const staffOfTwo = server.user('None', [ownPark, secondPark]);
  const otherParkStaff = server.user('None', otherPark);
  /** Reviewers may read reports of every park, but are notified of those of their own park only. */
  const manager = server.user('Health & Safety Manager', ownPark);
  const managerOfTwo = server.user('Health & Safety Manager', [ownPark, secondPark]);
  const parkAdmin = server.user('Admin', ownPark);
  beforeAll(async () => {
    await addChannels(admin);
    await fillOtherPark(admin);
  });
  afterAll(async () => {
    parkList.remove();
  });

  /** Gives every user a full name, an email address and a device. */
  async function addChannels(admin: TestClient) {
    for (const [client, full_name] of [
      [staff, 'Siân Jones'],
      [staffOfTwo, 'Mair Rees'],
      [otherParkStaff, `${secret} Person`],
      [manager, 'Huw Parry'],
      [managerOfTwo, 'Nia Roberts'],
    ] as const) {
      const body = { full_name, email: `${client.username}@example.com` };
      await admin(api.updateUserDetails, { params: { id: client.id }, body });
      await client(api.addPushSubscription, { body: push.subscribe(client.username) });
    }
  }

  /** Creates every kind of record in the other park, each with the secret in its texts. */
  async function fillOtherPark(admin: TestClient) {
    const report = await otherParkStaff(api.submitAccident, {
      body: await newReport(otherParkStaff, { selectedPlace: otherPark, name: secret, details: secret, type: secret }),
    });
    const folder = await newFolder(admin, {
      park: otherPark,
      name: `${secret} ${auditSecret} folder`,
      description: secret,
    });
    photoPath = await uploadPhoto(admin);
    const audit = await admin(api.createAudit, {
      body: newAudit(folder, {
        ...{
          title: `${secret} ${auditSecret} audit`,
          location: secret,
          description: secret,
          assignee: otherParkStaff.username,
        },
        ...{ is_urgent: true, date: '2026-12-02', media_files: [{ path: photoPath, name: `${secret}.jpg` }] },
        source: { thing: 'report', id: report.id },
      }),
    });
    await otherParkStaff(api.addAuditNote, { params: { id: audit.id }, body: { text: secret } });
    const onFail = {
      when: 'No' as const,
      photo: 'optional' as const,
      audit: { urgent: true, days: 0, assignees: { [otherPark]: otherParkStaff.username, [ownPark]: staff.username } },
    };
    const sections = [{ title: 'Is it safe?', type: 'na' as const, required: true, onFail }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Slide', sections } });
    const schedule = await admin(api.createSchedule, {
      body: {
        ...{ checklist_id: checklistId, parks: [otherPark], repeat: 'daily', gate: `${secret} slide` },
        ...{ opens_at: '00:00', closes_at: '13:00', starts_on: getToday(new Date(now)) },
      },
    });
    const failures = { '0': { note: secret, mediaFiles: [] } };
    const failCheck = async () => {
      const { id } = await otherParkStaff(api.submitChecklist, {
        body: { checklistId, data: { '0': 'No' }, failures, park: otherPark },
      });
      for (const audit of await admin(api.listSubmissionAudits, { params: { id } }))
        await admin(api.updateAudit, {
          params: { id: audit.id },
          body: { title: `${secret} ${auditSecret} repair` },
        });
      return id;
    };
    const submission = await failCheck();
    const otherParkAudits = await server.db.selectFrom('audits').select('id').execute();
    // The folder of the first audit moves to the other park, the follow-up stays.
    const movingFolder = await newFolder(admin, { park: ownPark, name: 'Moving' });
    const moved = await admin(api.createAudit, {
      body: newAudit(movingFolder, { title: `${secret} ${auditSecret} moved` }),
    });
    const ownFolder = await newFolder(admin, { park: ownPark, name: 'Own' });
    await admin(api.createAudit, { body: newAudit(ownFolder, { source: { thing: 'audit', id: moved.id } }) });
    const park = { name: `${secret} ${auditSecret} moved`, description: '', park: otherPark };
    await admin(api.updateFolder, { params: { id: movingFolder }, body: park });
    await admin(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    for (const kind of [place, message, sharedDevice]) ids.push(await kind.make({ server, admin }, otherPark));
    const checks = await server.db.selectFrom('due_checks').select('id').execute();
    const [otherNotification] = await otherParkStaff(api.listNotifications);
    ids.push(report.id, folder, audit.id, schedule.id, submission, otherNotification?.id ?? '', movingFolder, moved.id);
    ids.push(...otherParkAudits.map(({ id }) => id), ...checks.slice(0, 2).map(({ id }) => id));
    // Move the clock by nine days, so that the server also sends reminders and the weekly summary.
    for (let days = 0; days < 9; days++) {
      now += day;
      await sendAuditReminders(server.db, new Date(now));
      await sendWeeklyDigest(server.db, new Date(now));
      await remindOfDeadlines(server.db, new Date(now));
      await notifyOfMissedChecks(server.db, new Date(now));
    }
    ids.push(await failCheck());
  }

  const calls = Object.entries(contract) as [EndpointName, Endpoint][];
  const staffCalls = calls.filter(
    ([name, { access }]) => isAllowed(access, { role: 'None', parks: [ownPark] }) && !leftOut.includes(name),
  );

  const getInput = async (name: EndpointName, client: TestClient, id: string) =>
    inputs[name] ?? ((await endpointCases[name].input?.({ server, admin, client, park: ownPark, id })) as Input) ?? {};

  async function sendAs(client: TestClient, { method, path, query, body }: Endpoint, id: string, input: Input) {
    const url = new URL(path.replace(/\{\w+\}/, id), server.url);
    for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
    // If the endpoint has a filter by park, set it to the other park.
    const hasPark =
      query && 'park' in (query as never as { shape?: object; _zod: { def: { shape: object } } })._zod.def.shape;
    if (hasPark) url.searchParams.set('park', otherPark);
    const hasJson = body && !isMultipart(body);
    const response = await client.fetch(url.pathname + url.search, {
      method,
      ...(hasJson && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input.body ?? {}) }),
    });
    return { status: response.status, text: await response.text() };
  }

  const expectNoSecrets = (context: string, text: string, except: string[] = []) => {
    const names = [secret, otherParkStaff.username, otherPark, photoPath, ...ids].filter(
      (name) => !except.includes(name),
    );
    expect([context, ...names.filter((name) => text.includes(name))]).toEqual([context]);
  };

  test.each(staffCalls)('the endpoint %s reveals nothing of another park to staff', async (name, endpoint) => {
    for (const client of [staff, staffOfTwo]) {
      if (!endpoint.path.includes('{')) {
        const { status, text } = await sendAs(client, endpoint, '', await getInput(name, client, ''));
        // A request with the other park as filter may also be rejected.
        if (endpoint.method === 'GET') expect([200, 403, 404]).toContain(status);
        // Everyone knows the names of the parks.
        expectNoSecrets(`${client.username} ${name}`, text, name === 'getSession' ? [otherPark] : []);
        continue;
      }
      for (const id of name === 'getUsername' ? ids : [...ids, otherParkStaff.id]) {
        const { status, text } = await sendAs(client, endpoint, id, await getInput(name, client, id));
        const context = [client.username, name, id];
        expect([...context, status]).toEqual([
          ...context,
          endpoint.method === 'GET' ? 404 : expect.toBeOneOf(endpoint.needsConfirmation ? [403] : [400, 404]),
        ]);
        expectNoSecrets(context.join(' '), text, [id]);
      }
    }
  });

  const reviewerReads = calls.filter(
    ([, { access, method, reply }]) =>
      method === 'GET' && reply !== 'pdf' && isAllowed(access, { role: 'Admin', parks: [ownPark] }),
  );
  test.each(reviewerReads)(
    'the endpoint %s reveals no audit of another park to reviewers of one park',
    async (name, endpoint) => {
      for (const client of [manager, managerOfTwo, parkAdmin])
        for (const id of endpoint.path.includes('{') ? ids : ['']) {
          const { status, text } = await sendAs(client, endpoint, id, await getInput(name, client, id));
          const context = [client.username, id];
          expect([...context, status]).toEqual([...context, expect.toBeOneOf([200, 403, 404])]);
          expect([...context, text.includes(auditSecret)]).toEqual([...context, false]);
        }
    },
  );

  test('each kind of record with a park has one in the other park', async () => {
    const missing: string[] = [];
    for (const [name, { table, park, parks }] of kindEntries) {
      if (!park && !parks) continue;
      const place = parks ? JSON.stringify([otherPark]) : otherPark;
      const { rows } =
        await sql`select 1 from ${sql.table(table)} where ${sql.raw(park ?? 'parks')} = ${place}`.execute(server.db);
      if (rows.length === 0) missing.push(name);
    }
    expect(missing).toEqual([]);
  });

  test('photos and requests that name the other park reveal nothing from it', async () => {
    expect((await staff.fetch(photoPath)).status).toBe(404);
    const folder = (await otherParkStaff(api.listFolders))[0]?.id ?? '';
    await expect(staff(api.createAudit, { body: newAudit(folder) })).rejects.toMatchObject({ status: 404 });
    // The other park's own staff see all of it, which shows that the test looks in the right
    // places.
    const received = await Promise.all(
      [api.listFolders, api.listOpenAudits, api.listNotifications, api.listNames].map(async ({ path }) =>
        (await otherParkStaff.fetch(path)).text(),
      ),
    );
    for (const text of received) expect(text).toContain(secret);
  });

  test('notifications, emails and push messages contain nothing from the other park', async () => {
    const isDone = async () =>
      (await server.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute()).length === 0;
    await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 20_000, interval: 200 });
    const to = (client: TestClient) => [
      ...mail.received.filter((email) => email.to.includes(`${client.username}@example.com`)),
      ...push.received.filter(({ device }) => device === client.username),
    ];
    // Only the test message that they requested, and that an Admin set their email address.
    for (const client of [staff, staffOfTwo]) {
      const kinds = (await client(api.listNotifications)).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(['test', 'signInChanged']));
      expect(JSON.stringify(to(client))).not.toMatch(/Robin Hood|audit\b|report/i);
    }
    for (const client of [manager, managerOfTwo]) {
      const notifications = await client(api.listNotifications);
      const kinds = notifications.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'weeklyDigest' && kind !== 'signInChanged')).toEqual([]);
      expectNoSecrets('what a reviewer is sent', JSON.stringify([notifications, to(client)]));
    }
    expect(to(otherParkStaff).length).toBeGreaterThan(0);
    // No email or push message to any user contains free text.
    expect(JSON.stringify([mail.received, push.received])).not.toContain(secret);
  });
});
