import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { particularFields } from '#shared/law/assessment.ts';
import { fractureAnswers, startLawTest } from '../testing/assessments.ts';
import { readPdfText, unzip } from '../testing/documents.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

const name = 'Wintersnipe';
const typed = `Says ${name}`;

/** Columns that hold neither names nor typed text. */
const otherColumns = {
  reports: [
    ...['id', 'number', 'reportType', 'selectedPlace', 'age', 'contactNumber', 'date', 'time', 'employmentStatus'],
    ...['emergencyService', 'signature', 'affectedUserSignature', 'created_at', 'created_by', 'created_by_name'],
    ...['captured_at', 'position', 'deletion_id', 'first_opened_at', 'fingerprint', 'month', 'search_text', 'type_key'],
  ],
  assessments: [
    ...['id', 'report_id', 'version', 'rule_set', 'answers', 'result', 'decision', 'reason_salt', 'decided_by'],
    ...['decided_by_name', 'decided_at', 'settled', 'to_review', 'updated_at', 'updated_by', 'updated_by_name'],
  ],
  riddor_notices: [
    ...['id', 'assessment_id', 'duties', 'how', 'on', 'created_at', 'created_by', 'created_by_name', 'salt'],
  ],
};

describe.each(engines)('copies without names on %s', (engine) => {
  const folder = createTestFolder();
  const law = setUp(() => startLawTest(engine, () => Date.parse('2033-06-01T09:00:00Z')));

  /** Creates a report with the name in every text field, and its assessment. */
  async function createReport(people: object[], changes: object = {}) {
    const body = await newReport(law.admin, {
      ...{ name: typed, reporter: typed, type: typed, location: typed, details: typed },
      affectedUserSignedBy: { name: typed, capacity: 'Could not sign', reason: typed },
      mediaFiles: (await newReport(law.admin)).mediaFiles.map((file) => ({ ...file, name: `${typed}.jpg` })),
    });
    const { id } = await law.admin(api.submitAccident, { body });
    await law.setDay(id, '2033-05-31');
    const fields = [...Object.keys(particularFields), 'exposure'].filter((field) => field !== 'consent');
    const particulars = { ...Object.fromEntries(fields.map((field) => [field, typed])), ...changes };
    const answers = { version: 0, ...fractureAnswers, people, particulars } as never;
    await law.manager(api.saveAssessment, { params: { id }, body: answers });
    return id;
  }
  const decide = (id: string, decision: 'reportable' | 'notReportable') =>
    law.manager(api.decideAssessment, { params: { id }, body: { version: 1, decision, reason: `${typed} so` } });

  test('neither a pack without names nor the copy for safety representatives contains a name or typed text', {
    timeout: 120_000,
  }, async () => {
    const { admin, manager, server } = law;
    const [employee] = fractureAnswers.people;
    const other = { ...employee, class: 'otherEmployee' };
    const ids = {
      rejected: await createReport([employee as object]),
      theirs: await createReport([other]),
      reported: await createReport([employee as object]),
      consented: await createReport([employee as object], { consent: typed }),
    };
    await decide(ids.rejected, 'notReportable');
    await decide(ids.consented, 'notReportable');
    await decide(ids.reported, 'reportable');
    const notice = { duties: ['SPECIFIED#1'], how: 'online' as const, on: '2033-06-01' };
    const body = { ...notice, hseReference: typed, note: typed };
    await manager(api.addRiddorNotice, { params: { id: ids.reported }, body });

    for (const [table, columns] of Object.entries(otherColumns)) {
      const rows = await server.db
        .selectFrom(table as 'reports')
        .selectAll()
        .execute();
      const named = new Set(
        rows.flatMap((row) => Object.entries(row).flatMap(([key, value]) => (`${value}`.includes(name) ? [key] : []))),
      );
      const unnamed = Object.keys(rows[0] ?? {}).filter((column) => !named.has(column));
      expect(unnamed.toSorted(), table).toEqual(columns.toSorted());
    }

    const [rejected, theirs, reported, consented] = await Promise.all(
      Object.values(ids).map(async (id) => {
        const query = { representative: '1', assessment: '1' } as const;
        return readPdfText(await manager(api.getReportPdf, { params: { id }, query })).replace(/\s+/g, ' ');
      }),
    );
    for (const text of [rejected, theirs, reported]) {
      expect(text).toContain('There is no consent to be named.');
      for (const word of [name, manager.username, admin.username]) expect(text).not.toContain(word);
    }
    expect(rejected).toContain('Not reportable');
    expect(theirs).toContain('For another firm to report');
    expect(reported).toContain('Reported 01/06/2033');
    // Consent to be named is not consent to show the assessment.
    expect(consented).toContain(`Person involved ${typed}`);
    expect(consented).not.toContain(`${typed} so`);

    const { id } = await manager(api.createPack, {
      body: { recipient: 'HSE', purpose: 'Claim 4711', withoutNames: true, reports: Object.values(ids) },
    });
    const find = async () => (await manager(api.listPacks)).find((pack) => pack.id === id)?.state;
    await expect.poll(find, { timeout: 60_000, interval: 100 }).toBe('ready');
    const { readText } = unzip(await manager(api.getPackFile, { params: { id } }), folder);
    const { files } = JSON.parse(readText('manifest.json'));
    expect(files.length).toBeGreaterThan(8);
    for (const { path } of files as { path: string }[])
      expect(readText(path).replace(/\s+/g, ' '), path).not.toContain(name);
  });
});
