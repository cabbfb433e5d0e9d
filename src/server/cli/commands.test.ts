import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createTestFolder } from '../testing/folder.ts';
import { setUpApp } from '../testing/second-step.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

/** Runs a command as an operator does: in a separate process, with the server's settings. */
function run(command: string, settings: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number; output: string; errorOutput: string }>((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, `${command}.ts`), ...args], {
      env: { PATH: process.env.PATH, ...settings },
    });
    let [output, errorOutput] = ['', ''];
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errorOutput += text));
    child.once('close', (code) => resolve({ code: code ?? 1, output, errorOutput }));
  });
}

describe.each(engines)("the operator's commands on %s", (engine) => {
  let settings: Record<string, string>;
  const { server } = createTestServer(engine);
  beforeAll(async () => {
    settings = { DATA_DIR: server.folder, DATABASE_URL: server.config.databaseUrl };
  });

  test("reset-password sets a password while the server runs, ends the user's sessions and prints the password once", async () => {
    const admin = await server.as('Admin');
    const { code, output } = await run('reset-password', settings, admin.username.toUpperCase());
    expect(code).toBe(0);
    const password = /is ([a-z2-9]{4}(?:-[a-z2-9]{4}){3})\n/.exec(output)?.[1] ?? '';
    await expect(admin(api.getSession)).rejects.toMatchObject({ status: 401 });
    const back = await server.signIn(admin.username, admin.id, password);
    expect((await back(api.getSession)).user.mustChangePassword).toBe(true);
    const rows = await server.db.selectFrom('activity').selectAll().where('thing_id', '=', admin.id).execute();
    expect(rows.map(({ action, actor }) => [action, actor])).toContainEqual([
      'set a new password for',
      "the server's terminal",
    ]);
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  test('reset-password --second-factor removes the second factor, and notifies the user and the other Admins', async () => {
    const [admin, other] = [await server.as('Admin'), await server.as('Admin')];
    await setUpApp(admin, Date.now);
    const withFactor = await run('reset-password', settings, admin.username);
    const oneTimePassword = (text: string) => /is ([a-z2-9-]{19})\n/.exec(text)?.[1] ?? '';
    await expect(server.signIn(admin.username, '', oneTimePassword(withFactor.output))).rejects.toThrow(
      'SECOND_FACTOR',
    );
    const { code, output } = await run('reset-password', settings, '--second-factor', admin.username);
    expect(code).toBe(0);
    const back = await server.signIn(admin.username, admin.id, oneTimePassword(output));
    await back(api.changePassword, { body: { newPassword: 'another walk on the shore' } });
    expect((await back(api.listNotifications)).map(({ text }) => text)).toContain(
      'Your second factor was removed. If you did not ask for it, tell an Admin',
    );
    expect((await other(api.listNotifications)).map(({ text }) => text)).toContain(
      'The second factor of one or more users was removed',
    );
  });

  test.each([
    ['no username', [], 'Usage: npm run reset-password -- [--second-factor] USERNAME'],
    ['an unknown username', ['nobody.here'], 'There is no user "nobody.here". Nothing was changed.'],
    ['two usernames', ['admin', 'other'], 'Usage: npm run reset-password -- [--second-factor] USERNAME'],
  ])('reset-password with %s changes nothing', async (_, args, message) => {
    const before = await server.db.selectFrom('users').selectAll().execute();
    expect(await run('reset-password', settings, ...args)).toEqual({
      code: 1,
      output: '',
      errorOutput: `${message}\n`,
    });
    expect(await server.db.selectFrom('users').selectAll().execute()).toEqual(before);
  });

  test('verify-log names a row changed in the database', async () => {
    const intactResult = await run('verify-log', settings);
    expect(intactResult).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The activity log is unchanged: \d+ rows/),
    });
    const trigger = engine === 'sqlite' ? 'activity_refuses_update' : 'append_only on activity';
    await sql.raw(`drop trigger ${trigger}`).execute(server.db);
    await sql`update activity set actor = 'somebody else' where seq = 2`.execute(server.db);
    const { code, errorOutput } = await run('verify-log', settings);
    expect(code).toBe(1);
    expect(errorOutput).toMatch(/^Row 2 of the activity log was altered \(.+\)\. The one before it is good\.\n$/);
  });
});

test('a command with a wrong data folder creates no database', async () => {
  const folder = createTestFolder(onTestFinished);
  const { code, errorOutput } = await run('verify-log', { DATA_DIR: join(folder, 'data') });
  expect([code, errorOutput]).toEqual([
    1,
    `There is no database in ${join(folder, 'data')}. Set DATA_DIR (or DATABASE_URL) as the server has it.\n`,
  ]);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
