import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createBackup } from '../backup/create-backup.ts';
import { verifyBackup } from '../backup/verify.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { sendMessage } from '../testing/messages.ts';
import { runProgram, startProcess } from '../testing/process.ts';
import { insertRow } from '../testing/rows.ts';
import { engines, startTestServer, type TestServer } from '../testing/server.ts';
import { columnsWithoutLink, findBrokenLinks, links } from './links.ts';

const listColumns = async (db: Database) =>
  (await db.introspection.getTables())
    .filter(({ name, isView }) => !isView && !/_search|^kysely|^sqlite/.test(name))
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));

describe.each(engines)('links between records on %s', (engine) => {
  let server: TestServer;
  let folder: string;
  beforeEach(async () => {
    folder = createTestFolder(onTestFinished);
    server = await startTestServer(engine);
  });
  afterEach(async () => {
    await server.stop();
  });

  test.runIf(engine === 'sqlite')(
    'every id in the database is a foreign key, checked as a link, or no link',
    async () => {
      const { rows } = await sql<{ name: string }>`select tables.name || '.' || keys."from" as name
      from sqlite_master as tables join pragma_foreign_key_list(tables.name) as keys`.execute(server.db);
      const foreignKeys = new Set(rows.map(({ name }) => name));
      const listed = [
        ...links.map(({ table, column }) => `${table}.${column}`),
        ...Object.values(columnsWithoutLink).flat(),
      ];
      expect(listed.length).toBe(new Set(listed).size);
      const columns = await listColumns(server.db);
      expect(listed.filter((name) => !columns.includes(name))).toEqual([]);
      const ids = columns.filter((name) => name.endsWith('_id') && !foreignKeys.has(name));
      expect(ids.filter((name) => !listed.includes(name))).toEqual([]);
    },
  );

  test('records that the product made have no link to nothing; a missing place, record or account is found', async () => {
    const { db } = server;
    const admin = await server.as('Admin');
    await newReport(admin);
    const { id } = await sendMessage(server);
    expect(await findBrokenLinks(db)).toEqual([]);
    await db.updateTable('guest_messages').set({ place_id: 'gone' }).where('id', '=', id).execute();
    const attached = { attached_to: 'note', attached_id: 'lost' } as const;
    await db.updateTable('uploads').set(attached).execute();
    await insertRow(db, 'notifications_off', { user_id: 'nobody', kind: 'guestMessage', channel: 'email' });
    expect(await findBrokenLinks(db)).toEqual([
      { column: 'notifications_off.user_id', to: 'users', rows: 1, example: 'nobody' },
      { column: 'guest_messages.place_id', to: 'places', rows: 1, example: 'gone' },
      { column: 'uploads.attached_id', to: 'audit_notes', rows: expect.any(Number), example: 'lost' },
    ]);
  });

  test('a link to nothing is in the log of the start, and fails the verification of a backup', async () => {
    const { db, config } = server;
    const { id } = await sendMessage(server);
    const { folder: good } = await createBackup(config, join(folder, 'good'));
    await verifyBackup(config, good);
    await db.updateTable('guest_messages').set({ place_id: newId() }).where('id', '=', id).execute();
    const { folder: backup } = await createBackup(config, join(folder, 'broken'));
    const found = '1 row of guest_messages.place_id: no such row in places, for example ';
    await expect(verifyBackup(config, backup)).rejects.toThrow(found);
    if (engine === 'postgres') return;
    const settings = { DATA_DIR: join(folder, 'restored'), LOG_LEVEL: 'error' };
    const { code } = await runProgram([join(import.meta.dirname, '../cli/restore.ts'), backup], settings);
    expect(code).toBe(0);
    const restarted = await startProcess(settings);
    await expect.poll(() => restarted.output()).toContain(found);
    await restarted.end();
  });
});
