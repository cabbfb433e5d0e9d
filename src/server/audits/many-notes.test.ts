// The number of notes on an audit, and reading them in pages.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { insertRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('many notes on %s', (engine) => {
  let id: string;
  const { server, staff } = createTestServer(engine);
  beforeAll(async () => {
    id = (await staff(api.createAudit, { body: newAudit(await newFolder(staff)) })).id;
  });

  test('an audit has at most 1,000 notes, which are all listed, oldest first', async () => {
    await staff(api.addAuditNote, { params: { id }, body: { text: 'first' } });
    const row = await server.db.selectFrom('audit_notes').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 998 }, (_, at) => ({
      ...row,
      id: `note-${at}`,
      words: `${at}`,
      // Three notes have the same time, so that pages end between notes of one time.
      created_at: new Date(Date.parse(row.created_at) + 1 + Math.floor(at / 3)).toISOString(),
    }));
    await insertRows(server.db, 'audit_notes', rows);
    const add = () => staff(api.addAuditNote, { params: { id }, body: { text: 'last' } });
    const outcomes = await Promise.allSettled([add(), add()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        status: 409,
        message: 'An audit has at most 1,000 notes. Create a follow-up audit to write more.',
      },
    });
    const notes = await staff(api.listAuditNotes, { params: { id } });
    expect(new Set(notes.map((note) => note.id)).size).toBe(1000);
    const order = notes.map((note) => `${note.created_at} ${note.id}`);
    expect(order).toEqual(order.toSorted());
  });
});
