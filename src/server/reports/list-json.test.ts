import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api, contract } from '#shared/api.ts';
import type { Report } from '#shared/reports/reports.ts';
import { newReport } from '../testing/factories.ts';
import { naughtyStrings } from '../testing/naughty-strings.ts';
import { insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { readReportPages } from './store.ts';

describe.each(engines)('the list of reports on %s', (engine) => {
  const { server } = createTestServer(engine);

  test("a report list that the database creates as JSON equals the output of the schema's serialiser", async () => {
    const client = await server.as('Admin');
    const { id } = await client(api.submitAccident, { body: await newReport(client) });
    const row = await server.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const media = JSON.parse(row.mediaFiles);
    const storableStrings = [...naughtyStrings, '\u0001\b\f\u007f\u2029\u{1f600}'].filter(
      (text) => !text.includes('\0') && text.isWellFormed(),
    );
    for (const [index, text] of storableStrings.slice(0, 480).entries())
      await insertRow(server.db, 'reports', {
        ...row,
        id: `odd${index}`,
        number: `ODD-${index}`,
        position: row.position + index + 1,
        name: text,
        details: text.repeat(3),
        location: text,
        date: text,
        age: index % 3 === 0 ? null : index,
        mediaFiles: JSON.stringify(
          index % 2
            ? []
            : [
                { ...media[0], name: text, unknown: 'never sent' },
                { ...media[0], cutOff: true },
              ],
        ),
        signature: index % 5 ? row.signature : null,
        affectedUserSignedBy: index % 4 ? null : JSON.stringify({ name: text, capacity: text, reason: text }),
        captured_at: index % 7 ? null : '2026-03-01T10:00:00.000Z',
      });
    const reports: Report[] = [];
    for await (const page of readReportPages(server.db, {})) reports.push(...page);
    const serialized = await serialize(reports);
    // A limited list and the complete list: both read reports with some and with all optional fields.
    for (const path of ['/api/get-reports?limit=500', '/api/get-reports']) {
      const json = await (await client.fetch(path)).text();
      expect(JSON.parse(json)).toHaveLength(Math.min(storableStrings.length, 480) + 1);
      expect(JSON.parse(json)).toEqual(JSON.parse(serialized));
    }
  });
});

/** Serialises reports as the server does, with the reply's schema. */
async function serialize(reports: unknown[]): Promise<string> {
  const app = Fastify();
  const schema = { response: { 200: z.toJSONSchema(contract.listReports.reply, { target: 'draft-7' }) } };
  app.get('/', { schema }, () => reports);
  return (await app.inject('/')).body;
}
