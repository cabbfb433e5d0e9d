import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createBackup } from '../../backup/create-backup.ts';
import { getSqlitePath } from '../../db/connect.ts';
import { newAudit, newFolder, newReport } from '../../testing/factories.ts';
import { startTestServer } from '../../testing/server.ts';

// PostgreSQL frees the space of deleted rows itself, some time later: docs/privacy.md.
test('destroyed texts and erased names are in no byte of the SQLite file, its log or a new backup', async () => {
  let now = Date.parse('2026-06-01T09:00:00Z');
  const server = await startTestServer('sqlite', { RATE_SCALE: '100' }, () => new Date(now));
  const folder = mkdtempSync(join(tmpdir(), 'traces-'));
  try {
    let admin = await server.as('Admin');
    const submitted = await admin(api.submitAccident, {
      body: await newReport(admin, { age: 40, details: `Zebedee fell. ${'Quillfeather '.repeat(300)}` }),
    });
    const row = await server.db.selectFrom('reports').selectAll().executeTakeFirstOrThrow();
    const search_text = 'zebedee fell. quillfeather';
    // Enough rows to divide pages of the table and its indexes.
    for (let index = 1; index <= 300; index += 1) {
      const texts = { details: `Zebedee fell ${index}. Quillfeather`, location: 'Quillfeather Way', search_text };
      const copy = {
        ...row,
        ...texts,
        id: `copy-${index}`,
        number: `ACC-2027-${index}`,
        position: row.position - index,
      };
      await server.db
        .insertInto('reports')
        .values({ ...copy, signature: null, affectedUserSignature: null })
        .execute();
    }
    const folderId = await newFolder(admin);
    const description = `${'Nothing. '.repeat(400)}Kingfisher`;
    const { id } = await admin(api.createAudit, { body: newAudit(folderId, { description }) });
    const request = { name: 'Kingfisher', spellings: [], number: '', receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body: request })).id };
    const countBytes = (file: string, word: string) =>
      readFileSync(file).toString('latin1').toLowerCase().split(word).length - 1;
    const file = getSqlitePath(server.folder);
    const files = [file, `${file}-wal`];
    const count = (word: string, paths = files) => paths.reduce((sum, path) => sum + countBytes(path, word), 0);
    expect(count('quillfeather')).toBeGreaterThan(500);

    now = Date.parse('2040-06-01T09:00:00Z');
    admin = await server.createSession(admin.id, admin.username);
    await admin(api.blankNames, { params, body: { ids: [`audit:${id}`], count: 1, reason: 'asked' } });
    // Only the access request still has the name: in its row, and nowhere else.
    expect(count('kingfisher')).toBe(1);
    for (let left = true; left; ) {
      const { rows, hash } = await admin(api.listRetention);
      const ids = rows
        .filter(({ thing }) => thing === 'report')
        .map(({ id }) => id)
        .slice(0, 100);
      if (ids.length > 0) await admin(api.runRetention, { body: { hash, ids, count: ids.length } });
      left = ids.length > 0;
    }
    expect(await server.db.selectFrom('reports').select('id').where('id', '=', submitted.id).execute()).toEqual([]);
    expect(count('quillfeather')).toBe(0);
    const backup = await createBackup(server.config, folder, { now: new Date(now) });
    expect(count('quillfeather', [join(backup.folder, 'database.sqlite')])).toBe(0);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
