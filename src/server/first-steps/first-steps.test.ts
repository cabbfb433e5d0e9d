// First steps: what is done, who may see it, and what the session says of it.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks } from '#shared/choices.ts';
import type { MarkName, StepName } from '#shared/system/first-steps.ts';
import { startFolders, stepNames } from '#shared/system/first-steps.ts';
import { setCounter } from '../db/counters.ts';
import { backupCounters } from '../system/lines.ts';
import { newSchedule } from '../testing/access-records.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { onQuery } from '../testing/on-query.ts';
import { readRow } from '../testing/rows.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { updateEmail, updatePassword } from '../users/store.ts';
import { findProgress } from './steps.ts';

describe.each(engines)('first steps on %s', (engine) => {
  const mail = setUp(startMailServer);
  const { server, admin } = createTestServer(engine, () => ({
    ...mail.settings,
    PUBLIC_URL: 'https://reports.example',
    REQUIRE_SECOND_FACTOR: 'off',
  }));
  const getStep = async (name: StepName) =>
    (await admin(api.getFirstSteps)).steps.find((step) => step.name === name) ?? expect.fail();
  const getState = async (name: StepName) => (await getStep(name)).state;
  const mark = (mark: MarkName, isOn = true) => admin(api.saveFirstSteps, { body: { mark, isOn } });

  test('only Admins of all parks read or change them, and have them in the session', async () => {
    expect((await admin(api.getSession)).firstSteps).toEqual({
      done: 0,
      total: stepNames.length,
      next: expect.any(String),
    });
    for (const other of [
      await server.as('Admin', 'Lido Beach'),
      await server.as('Health & Safety Manager'),
      await server.as('None'),
    ]) {
      expect(await other(api.getSession)).not.toHaveProperty('firstSteps');
      await expect(other(api.getFirstSteps)).rejects.toMatchObject({ status: 403 });
      await expect(other(api.saveFirstSteps, { body: { mark: 'ended' } })).rejects.toMatchObject({ status: 403 });
    }
    expect((await admin(api.getFirstSteps)).isEnded).toBe(false);
  });

  test('the password from the start is to be changed', async () => {
    expect(await getState('account')).toBe('open');
    const { id, password_hash } = await readRow(server.db, 'users', { username: 'admin' });
    // Only its owner can change it.
    expect(await getStep('account')).toMatchObject({ actions: [], text: expect.stringContaining('admin still has') });
    const first = await server.createSession(id, 'admin', 'password');
    const [account] = (await first(api.getFirstSteps)).steps;
    expect(account).toMatchObject({ actions: ['change password'], text: expect.stringContaining('You still have') });
    await updatePassword(server.db, id, password_hash, false);
    expect(await getState('account')).toBe('done');
  });

  test('a second factor that is required is a step at once, before its days are over', async () => {
    await using strict = await startTestServer(engine, { REQUIRE_SECOND_FACTOR: 'reviewers' });
    const { id, username } = await strict.as('Admin');
    const withPassword = await strict.createSession(id, username, 'password');
    const [account] = (await withPassword(api.getFirstSteps)).steps;
    expect(account).toMatchObject({ state: 'open', text: expect.stringContaining('second factor') });
  });

  test('a step that is open has lines with the setting or the command, and what to do with them', async () => {
    const { lines, isSetting } = await getStep('operator');
    expect([lines[0], isSetting]).toEqual([expect.stringMatching(/^OPERATOR_NAME=/), true]);
    expect((await getStep('backup')).lines.join(' ')).toContain('npm run verify-backup');
    for (const { text } of (await admin(api.getFirstSteps)).steps) expect(text).not.toMatch(/docs|\.md/);
  });

  test('the parks are done when they were confirmed and each has its telephone, authority and people', async () => {
    expect(await getStep('parks')).toMatchObject({
      actions: ['our parks'],
      text: expect.stringContaining("'These Are Our Parks' confirms the names only."),
    });
    await mark('our parks');
    expect(await getStep('parks')).toMatchObject({
      ...{ state: 'open', actions: [] },
      text: expect.stringMatching(/can be chosen once there are users, after step 4\. The names are confirmed\.$/),
    });
    // Parks that lack only people wait for the users.
    const fillIn = async (rest: object) => {
      for (const park of defaultParks)
        await admin(api.saveParkSettings, { body: { park, telephone: '01745 123456', authority: 'council', ...rest } });
    };
    const readNext = async () => (await admin(api.getSession)).firstSteps?.next;
    await mark('operator not needed');
    expect(await readNext()).toBe('check the parks');
    await fillIn({});
    expect([await getState('parks'), await readNext()]).toEqual(['open', 'add users']);
    expect((await getStep('parks')).text).toContain('20 parks of 20 lack someone who does audits.');
    await mark('users not needed');
    expect(await readNext()).toBe('choose who does the audits of each park');
    expect((await getStep('parks')).text).toContain('Who does audits can be chosen now.');
    for (const name of ['users not needed', 'operator not needed'] as const) await mark(name, false);
    for (const [at, park] of defaultParks.entries()) {
      if (at === 1) expect((await getStep('parks')).text).toContain(`${defaultParks.length - 1} parks`);
      const people = { assignee: admin.username, hazardAssignee: admin.username };
      const body = { park, telephone: '01745 123456', authority: 'council' as const, ...people };
      await admin(api.saveParkSettings, { body });
    }
    expect(await getState('parks')).toBe('done');
    await mark('our parks', false);
    expect(await getStep('parks')).toMatchObject({ state: 'open', text: expect.not.stringContaining('of 20') });
  });

  test('users need a second Admin of all parks, and ten or a mark that they are all', async () => {
    await server.db.updateTable('users').set({ role: 'None' }).where('id', '!=', admin.id).execute();
    expect((await getStep('users')).actions).toEqual(['all users']);
    await mark('all users');
    expect(await getStep('users')).toMatchObject({ state: 'open', actions: [] });
    expect((await getStep('users')).text).toContain('There should be');
    await server.as('Admin');
    expect((await getStep('users')).text).not.toContain('There should be');
    expect(await getState('users')).toBe('done');
    await mark('all users', false);
    expect(await getState('users')).toBe('open');
    for (let count = 0; count < 10; count += 1) await server.as('None');
    expect(await getState('users')).toBe('done');
  });

  test('a checklist, a schedule that opens and a folder at each park are done when they exist', async () => {
    expect([await getState('checklist'), await getState('schedule')]).toEqual(['open', 'open']);
    const { id } = await admin(api.createChecklist, {
      body: {
        title: 'Pool',
        sections: [{ title: 'Clean', type: 'checkbox', required: false, onFail: { when: 'notTicked' } }],
      },
    });
    const schedule = newSchedule(id);
    await admin(api.createSchedule, { body: schedule });
    expect([await getState('checklist'), await getState('schedule')]).toEqual(['done', 'open']);
    const [park = ''] = schedule.parks;
    await admin(api.addPlaces, { body: { park, names: ['Pool'] } });
    const places = (await admin(api.listPlaces)).map((place) => place.id);
    await admin(api.createSchedule, { body: { ...schedule, places, opens: true } });
    expect(await getState('schedule')).toBe('done');

    expect(await getState('folders')).toBe('open');
    const [name = ''] = startFolders;
    await admin(api.createFolder, { body: { name, description: 'Ours', park: 'Mounds' } });
    for (let press = 0; press < 2; press += 1) await admin(api.saveFirstSteps, { body: { folders: true } });
    const folders = await admin(api.listFolders);
    expect(folders).toHaveLength(defaultParks.length * startFolders.length);
    expect(folders.some(({ description }) => description === 'Ours')).toBe(true);
    expect(await getState('folders')).toBe('done');
    for (const folder of folders.filter((folder) => folder.park === park))
      await admin(api.deleteFolder, { params: { id: folder.id } });
    expect(await getState('folders')).toBe('open');
    await admin(api.saveFirstSteps, { body: { folders: true } });
    expect(await getState('folders')).toBe('done');
  });

  test('the link in the test email notes once that it arrived', async () => {
    await updateEmail(server.db, admin.id, 'ann@example.com');
    await admin(api.testSystemEmail);
    const token = /https:\/\/reports\.example\/admin\/first-steps#(\S+)/.exec(mail.received[0]?.text ?? '')?.[1] ?? '';
    expect(token).not.toBe('');
    const open = (token: string) => admin(api.saveFirstSteps, { body: { token } });
    await expect(open('other')).rejects.toMatchObject({ status: 409 });
    expect(await getState('email')).toBe('open');
    await open(token);
    expect(await getState('email')).toBe('done');
    await expect(open(token)).rejects.toMatchObject({ status: 409 });
  });

  test('a backup counts for eight days after it was verified', async () => {
    const day = 24 * 60 * 60;
    const set = (days: number) =>
      setCounter(server.db, backupCounters.verified, Math.floor(Date.now() / 1000) - days * day);
    await set(8.1);
    expect(await getState('backup')).toBe('open');
    await set(7.9);
    expect(await getState('backup')).toBe('done');
  });

  test('a step can be not needed and undone, and the session counts what is left', async () => {
    const before = (await admin(api.getSession)).firstSteps;
    expect(before).toEqual({ done: stepNames.length - 2, total: stepNames.length, next: 'name the operator' });
    await mark('operator not needed');
    expect(await getState('operator')).toBe('notNeeded');
    expect((await admin(api.getSession)).firstSteps).toEqual({
      done: stepNames.length - 1,
      total: stepNames.length,
      next: 'check the parks',
    });
    await mark('operator not needed', false);
    expect((await admin(api.getSession)).firstSteps).toEqual(before);
    await mark('our parks');
    await mark('operator not needed');
    expect(await admin(api.getSession)).not.toHaveProperty('firstSteps');
    await mark('operator not needed', false);
  });

  test('ended for everybody, they are in no session, and cost it one query; each change is logged', async () => {
    const { id } = admin;
    const count = async () => {
      let queries = 0;
      const db = server.db.withPlugin(onQuery(() => queries++));
      const user = { id, role: 'Admin', parks: null } as never;
      const progress = await findProgress({ db, config: server.config, user, now: new Date() });
      return [queries, progress !== undefined];
    };
    expect(await count()).toEqual([5, true]);
    await mark('ended');
    expect(await count()).toEqual([1, false]);
    expect(await (await server.as('Admin'))(api.getSession)).not.toHaveProperty('firstSteps');
    expect((await admin(api.getFirstSteps)).isEnded).toBe(true);
    const [entry] = await admin(api.listActivity, { query: { q: 'changed the first steps' } });
    expect(entry?.changes).toEqual({ ended: true });
    await mark('ended', false);
    expect((await admin(api.getSession)).firstSteps).toBeDefined();
  });
});
