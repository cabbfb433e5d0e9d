import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { setCounter } from '../db/counters.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { clientSettings } from '../testing/oidc-provider.ts';
import { engines, password, startTestServer, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { updateEmail } from '../users/store.ts';
import { backupCounters, listSystemLines } from './lines.ts';

const day = 24 * 60 * 60_000;
const start = Date.parse('2026-12-01T12:00:00Z');
const secret = 'hush-hush';

describe.each(engines)('System on %s', (engine) => {
  let answerProvider: RequestListener;
  let now = start;
  const mail = setUp(startMailServer);
  const provider = setUp(async () => {
    const listener = createServer((request, response) => answerProvider(request, response)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return {
      issuer: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      async stop() {
        listener.closeAllConnections();
        await new Promise((resolve) => listener.close(resolve));
      },
    };
  });
  const settings = () => ({
    ...{ ...mail.settings, ...clientSettings, ...longSessions },
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_SECRET: secret },
    PUBLIC_URL: 'http://reports.example:8080/path?q=1',
  });
  let { server, admin } = createTestServer(engine, settings, () => now);
  beforeAll(() => updateEmail(server.db, admin.id, 'ann@example.com'));
  // Time only goes on, and a session is confirmed for ten minutes.
  beforeEach(async () => {
    admin = await server.createSession(admin.id, admin.username);
  });
  const readLine = async (title: string) => (await admin(api.getSystem)).find((line) => line.title === title);

  test('says for each part whether it is on, with hosts but no secret, user, path or query', async () => {
    const lines = await admin(api.getSystem);
    expect(Object.fromEntries(lines.map(({ title, state }) => [title, state]))).toEqual({
      'Address and HTTPS': 'wrong',
      'Last Backup': 'wrong',
      'Last Verified Backup': 'wrong',
      Email: 'on',
      'Messages to Devices': 'off',
      'Single Sign-On': 'on',
      'Second Factors': 'off',
      "Guests' Pages": 'on',
      'Storage of Photos': 'on',
      Database: 'on',
      Disk: 'on',
      Parks: 'on',
      Version: 'on',
      Instances: 'off',
    });
    const isWrong = lines.map(({ state }) => state === 'wrong');
    expect(isWrong).toEqual(isWrong.toSorted((a, b) => Number(b) - Number(a)));
    const text = JSON.stringify(lines);
    expect(text).toContain('reports.example:8080');
    for (const hidden of [secret, '/path', 'q=1', server.folder]) expect(text).not.toContain(hidden);
  });

  test('hides user, password and path of each address in the settings', async () => {
    const { db, config } = server;
    const lines = await listSystemLines({
      db,
      now: new Date(now),
      space: {
        getSpace: async () => ({ freeBytes: 1e9, totalBytes: 2e9 }),
        isFull: async () => false,
        check: () => Promise.reject(new Error('short')),
      },
      files: { kind: 'bucket', isAvailable: async () => false },
      integrity: { problem: 'row 7' },
      config: {
        ...config,
        secondFactorFor: 'everyone',
        databaseUrl: `postgres://ann:${secret}@db.example:5433/reports?x=${secret}`,
        bucket: { ...config.bucket, endpoint: `https://ann:${secret}@bucket.example/${secret}` },
        mail: { ...config.mail, url: `smtps://ann:${secret}@mail.example/${secret}`, isInsecureAllowed: false },
      },
    } as never);
    const text = JSON.stringify(lines);
    expect(text).not.toContain(secret);
    for (const shown of ['bucket.example', 'mail.example']) expect(text).toContain(shown);
    const wrong = lines.filter(({ state }) => state === 'wrong').map(({ title }) => title);
    expect(wrong).toEqual(expect.arrayContaining(['Database', 'Storage of Photos', 'Disk']));
  });

  test('backups are wrong when they are too old', async () => {
    const set = (name: string, ms: number) => setCounter(server.db, name, ms / 1000);
    await set(backupCounters.made, start - 1.9 * day);
    await set(backupCounters.verified, start - 7.9 * day);
    expect(await readLine('Last Backup')).toMatchObject({ state: 'on' });
    expect(await readLine('Last Verified Backup')).toMatchObject({ state: 'on' });
    now += 0.2 * day;
    admin = await server.createSession(admin.id, admin.username);
    expect(await readLine('Last Backup')).toMatchObject({ state: 'wrong' });
    expect(await readLine('Last Verified Backup')).toMatchObject({ state: 'wrong' });
  });

  test('the overview has what is wrong, for Admins of all parks only', async () => {
    const query = { from: '2026-01-01', to: '2026-12-31' };
    const wrong = (await admin(api.getSystem)).filter(({ state }) => state === 'wrong');
    const { problems } = await admin(api.getOverview, { query });
    expect(problems).toHaveLength(wrong.length);
    expect(problems).toContain('The address reports.example:8080 has no HTTPS.');
    for (const other of [await server.as('Admin', 'Lido Beach'), await server.as('Health & Safety Manager')])
      expect(await other(api.getOverview, { query })).not.toHaveProperty('problems');
  });

  test("a test email goes to the Admin's own address, five times an hour, and is logged", async () => {
    for (let sent = 0; sent < 5; sent += 1) expect(await admin(api.testSystemEmail)).toMatchObject({ code: '' });
    expect(mail.received.filter(({ subject }) => subject.endsWith('test email')).map(({ to }) => to)).toEqual(
      Array.from({ length: 5 }, () => ['ann@example.com']),
    );
    await expect(admin(api.testSystemEmail)).rejects.toMatchObject({ status: 429 });
    now += day / 24 + 1000;
    admin = await server.createSession(admin.id, admin.username);
    mail.state.isRejecting = true;
    const failed = await admin(api.testSystemEmail);
    mail.state.isRejecting = false;
    expect(failed.code).not.toBe('');
    expect(JSON.stringify(failed)).not.toContain('huw');
    const [entry] = await admin(api.listActivity, { query: { q: 'tested the system' } });
    expect(entry?.changes).toEqual({ test: 'email', result: failed.code });
    const other = await server.as('Admin');
    await expect(other(api.testSystemEmail)).rejects.toMatchObject({ status: 409 });
    // Twenty an hour for all; the one that failed counts, and so do those that are refused.
    const statuses: number[] = [];
    for (let admins = 0; admins < 4; admins += 1) {
      const client = await server.as('Admin');
      await updateEmail(server.db, client.id, 'bea@example.com');
      for (let sent = 0; sent < 5; sent += 1)
        statuses.push(
          await client(api.testSystemEmail).then(
            () => 200,
            ({ status }) => status,
          ),
        );
    }
    expect(statuses).toEqual([...Array(19).fill(200), 429]);
  });

  test('a test email goes to no address that another Admin has set, until a link sent there was opened', async () => {
    const [owner, invited] = [await server.as('Admin'), await server.as('Admin')];
    const setByAnother = (target: TestClient, email: string) =>
      admin(api.updateUserDetails, { params: { id: target.id }, body: { full_name: '', email } });
    const sendTest = async (target: TestClient) =>
      (await server.createSession(target.id, target.username))(api.testSystemEmail);
    const refusal = { status: 409, message: expect.stringContaining('is not confirmed yet') };
    const findToken = (link: RegExp) => mail.received.flatMap(({ text }) => link.exec(text)?.[1] ?? []).at(-1) ?? '';
    now += day / 24 + 1000;
    admin = await server.createSession(admin.id, admin.username);

    await setByAnother(owner, 'cai@example.com');
    await expect(sendTest(owner)).rejects.toMatchObject(refusal);
    const again = await server.createSession(owner.id, owner.username);
    await again(api.requestEmailChange, { body: { email: 'cai@example.com', currentPassword: password } });
    await server.anonymous(api.confirmEmailChange, { body: { token: findToken(/confirm-email#([\w-]{43})\s/) } });
    expect(await sendTest(owner)).toMatchObject({ code: '' });
    await setByAnother(owner, 'someone.else@example.com');
    await expect(sendTest(owner)).rejects.toMatchObject(refusal);

    await server.db.updateTable('users').set({ last_sign_in_at: null }).where('id', '=', invited.id).execute();
    await setByAnother(invited, 'dai@example.com');
    await admin(api.inviteUser, { params: { id: invited.id } });
    const token = findToken(/invitation#([\w-]{43})\s/);
    await server.anonymous(api.acceptInvitation, { body: { token, password: 'a new pass phrase 7' } });
    expect(await sendTest(invited)).toMatchObject({ code: '' });
  });

  test('while email fails, its line is wrong and still offers the test', async () => {
    const other = await server.as('Admin');
    now += 1000;
    mail.state.isRejecting = true;
    await updateEmail(server.db, other.id, 'earlier@example.com');
    const body = { full_name: '', email: 'later@example.com' };
    await admin(api.updateUserDetails, { params: { id: other.id }, body });
    await expect.poll(() => readLine('Email')).toMatchObject({ state: 'wrong', test: 'email' });
    mail.state.isRejecting = false;
  });

  test('a test needs a confirmed session', async () => {
    await server.db.updateTable('sessions').set({ confirmed_at: '' }).where('user_id', '=', admin.id).execute();
    for (const endpoint of [api.testSystemEmail, api.testSystemStorage, api.testSystemProvider])
      await expect(admin(endpoint)).rejects.toMatchObject({ status: 403, code: 'CONFIRMATION_NEEDED' });
  });

  test('a tested storage keeps nothing', async () => {
    expect(await admin(api.testSystemStorage)).toEqual({ code: '', text: 'A file was stored, read and deleted.' });
    const names = await readdir(server.folder, { recursive: true });
    expect(names.filter((name) => name.endsWith('.png'))).toEqual([]);
  });

  test("the provider's description is read from its own address only, and never shown", async () => {
    const reply =
      (status: number, body: string, headers = {}): RequestListener =>
      (_, response) => {
        response.writeHead(status, headers);
        response.end(body);
      };
    const cases: [RequestListener, string | RegExp][] = [
      [reply(200, JSON.stringify({ issuer: provider.issuer })), ''],
      [reply(200, JSON.stringify({ issuer: 'https://other.example' })), 'OTHER_ISSUER'],
      [reply(200, `<b>${secret}</b>`), 'OTHER_ISSUER'],
      [reply(200, secret.repeat(10_000)), 'TOO_LARGE'],
      [reply(302, '', { location: `${provider.issuer}/elsewhere` }), 'STATUS_302'],
      [reply(500, secret), 'STATUS_500'],
      [(request) => request.socket.destroy(), /^(UND_ERR_SOCKET|ECONNRESET)$/],
    ];
    for (const [answer, code] of cases) {
      const paths: (string | undefined)[] = [];
      answerProvider = (request, response) => {
        paths.push(request.url);
        answer(request, response);
      };
      const result = await admin(api.testSystemProvider);
      expect(result.code).toMatch(typeof code === 'string' ? new RegExp(`^${code}$`) : code);
      expect(JSON.stringify(result)).not.toContain(secret);
      expect(paths).toEqual(['/.well-known/openid-configuration']);
    }
  });
});

describe.each(engines)('a system without email and provider on %s', (engine) => {
  test('says what to set instead of testing it', async () => {
    const server = await startTestServer(engine);
    const admin = await server.as('Admin');
    const status = 409;
    await expect(admin(api.testSystemEmail)).rejects.toMatchObject({
      ...{ status, message: 'Email is not set up. Set SMTP_URL and MAIL_FROM.' },
    });
    await expect(admin(api.testSystemProvider)).rejects.toMatchObject({
      ...{ status, message: 'Single sign-on is not set up. Set OIDC_ISSUER.' },
    });
    await server.stop();
  });
});
