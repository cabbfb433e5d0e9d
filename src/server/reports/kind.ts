import type { Result } from '#shared/law/evaluate.ts';
import type { Database, Tables } from '../db/schema.ts';
import { declareKind } from '../record-kind.ts';
import { listStoredPaths } from '../uploads/stored-paths.ts';
import { findReportPeriod } from './kept-until.ts';

export const reportKind = declareKind({
  table: 'reports',
  // Triggers protect the history of an assessment while the assessment exists.
  children: [
    { table: 'assessments', of: 'report_id' },
    { table: 'riddor_notices', of: 'assessment_id', through: 'assessments' },
    { table: 'assessment_versions', of: 'assessment_id', through: 'assessments' },
  ],
  uploads: 'report',
  park: '"selectedPlace"',
  found: {
    label: ({ number }) => number,
    images: (row) => [...listStoredPaths(row.mediaFiles), row.signature, row.affectedUserSignature],
    number: ({ contactNumber }) => contactNumber,
  },
  purpose: 'Record of an accident or incident, which the law asks to keep',
  log: { readers: 'reviewers' },
  bin: {},
  retention: {
    from: 'created_at',
    minYears: ({ years }) => years,
    async dueFrom(row, db, settings) {
      const period = await findReportPeriod(db, settings, row.id);
      return (
        period && {
          label: row.number,
          place: row.selectedPlace,
          day: row.date,
          kind: row.reportType === 'incident' ? 'Incident report' : 'Accident report',
          class: period.class,
          source: period.source,
          until: period.until,
        }
      );
    },
    toCount,
  },
  listPackItems: async (_, id) => [{ thing: 'report', thing_id: id }],
});

/** Names of age bands, with the age below which each ends. */
const ageBands: [string, number][] = [
  ['under 18', 18],
  ['18 to 39', 40],
  ['40 to 64', 65],
];
const getAgeBand = (age: number | null) =>
  age === null ? 'not known' : (ageBands.find(([, below]) => age < below)?.[0] ?? '65 and over');

async function toCount(report: Tables['reports'], db: Database) {
  const assessment = await db
    .selectFrom('assessments')
    .select(['result', 'decision'])
    .where('report_id', '=', report.id)
    .executeTakeFirst();
  const result = assessment && (JSON.parse(assessment.result) as Result);
  return {
    kind: report.reportType,
    park: report.selectedPlace,
    month: report.month,
    status: report.employmentStatus,
    age_band: getAgeBand(report.age),
    rules: JSON.stringify([...new Set(result?.duties.map(({ rule }) => rule) ?? [])].sort()),
    outcome: assessment?.decision ?? result?.outcome ?? 'notAssessed',
  };
}
