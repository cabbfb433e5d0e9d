// Passes every text of a record that may name a person to a function, and stores the texts that it
// returns. Usernames of accounts stay: see "Former user" in destroy.ts.
import { sql } from 'kysely';
import type { ErasableType } from '#shared/people/name-erasure.ts';
import { createSubmissionSearchText } from '../checklists/submissions.ts';
import { serverActor } from '../db/activity-log.ts';
import { updateSearchText } from '../db/audit-data.ts';
import { getReportSearchText } from '../db/report-search-text.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { getInvestigationVersion } from '../investigations/store.ts';
import { type AssessmentRow, listNotices, replaceAssessment } from '../law/store.ts';
import { replaceJsonTexts } from '../names/json-texts.ts';
import { type PersonalTable, personalTables, type Row, readRowsOf } from '../names/named-fields.ts';
import { kinds } from '../records/kinds.ts';
import { getTypeKey } from '../reports/queries/report-filter.ts';
import { keepSignatures } from '../reports/store.ts';
import { deleteUploadRows } from '../uploads/store.ts';
import type { ReplaceText } from './name-marks.ts';

/** Collects the writes of a record, which run only if a text changes. */
type RewritePlan = { replace: ReplaceText; write(work: () => Promise<unknown>): void; now: Date };

type RewrittenRecord = {
  /** The record's label in the activity log. */
  label: string;
  /** The record's version before the rewrite; null if its texts never change. */
  version: number | null;
  /** The paths of deleted files: signatures, which show the name. */
  paths: string[];
};

/**
 * Rewrites the texts of a record. Call it inside a write transaction. Returns undefined if there is
 * no such record or none of its texts changes.
 */
export async function rewriteTexts(
  db: Database,
  thing: ErasableType,
  id: string,
  replace: ReplaceText,
  now: Date,
): Promise<RewrittenRecord | undefined> {
  const pendingWrites: (() => Promise<unknown>)[] = [];
  let isChanged = false;
  const plan: RewritePlan = {
    replace(field, text) {
      const replaced = replace(field, text);
      isChanged ||= replaced !== text;
      return replaced;
    },
    write: (work) => void pendingWrites.push(work),
    now,
  };
  const { table } = kinds[thing];
  let record: (Row & { version?: number; number?: string }) | undefined;
  let paths: string[] = [];
  for (const personalTable of personalTables) {
    if (replacedTables.includes(personalTable.table)) continue;
    for await (const row of readRowsOf(db, personalTable, [id])) {
      const texts = rewriteRow(personalTable, row, plan);
      // Before the next line, because the row of an investigation has no text that can change.
      if (personalTable.table === table) record = row as typeof record;
      if (Object.keys(texts).length === 0) continue;
      const changes: Changes = {
        ...texts,
        // A form that was already open cannot store the name again.
        ...(typeof row.version === 'number' && { version: row.version + 1 }),
        ...derivedColumns[personalTable.table]?.(row as never, { ...row, ...texts } as never),
      };
      plan.write(() =>
        sql`update ${sql.table(personalTable.table)} set ${sql.join(Object.entries(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
          where ${sql.raw(personalTable.key ?? 'id')} = ${row[personalTable.key ?? 'id']}`.execute(db),
      );
      if (personalTable.table !== table) continue;
      // Audits that follow from an audit show its title.
      if (thing === 'audit') plan.write(() => renameFollowUps(db, id, String(texts.title)));
      paths = [row.signature, row.affectedUserSignature].filter(
        (path): path is string => typeof path === 'string' && !Object.values(changes).includes(path),
      );
    }
  }
  if (!record) return undefined;
  if (thing === 'report') {
    plan.write(() => deleteUploadRows(db, paths));
    await rewriteAssessment(db, id, plan);
  }
  if (!isChanged) return undefined;
  const version = thing === 'investigation' ? await getInvestigationVersion(db, id) : (record.version ?? null);
  for (const write of pendingWrites) await write();
  if (thing === 'audit') await updateSearchText(db, id);
  return { label: record.number ?? '', version, paths };
}

type Changes = Record<string, unknown>;

/** Tables whose rows cannot be updated, so `rewriteAssessment` replaces them together. */
const replacedTables: PersonalTable['table'][] = ['assessments', 'assessment_versions', 'riddor_notices'];

/** Passes the texts of a row to the plan; returns the columns with their new texts. */
function rewriteRow({ columns }: PersonalTable, row: Row, { replace }: RewritePlan): Changes {
  const changes: Changes = {};
  for (const [column, { kind, mark, when, fixed = [] }] of Object.entries(columns)) {
    const text = row[column];
    if (!mark || typeof text !== 'string' || (when && !when(row))) continue;
    // Keep the assignee of an audit if it is the username of an account.
    const except = row.assignee_id ? ['assignee', ...fixed] : fixed;
    changes[column] = kind === 'text' ? replace(mark(row), text) : replaceJsonTexts(text, mark(row), replace, except);
  }
  return changes;
}

/** Returns further columns that must change with the texts of a row: those computed from them, and salts. */
const derivedColumns: { [T in keyof Tables]?: (row: Tables[T], changes: Tables[T]) => Changes } = {
  reports: (row, changed) => ({
    ...keepSignatures(row, changed),
    type_key: getTypeKey(changed.type),
    search_text: getReportSearchText(changed),
    // A guess at the name could be checked with the hash of the original texts.
    fingerprint: '',
  }),
  submissions: (_, changed) => ({ search_text: createSubmissionSearchText(changed) }),
  holds: () => ({ reason_salt: '' }),
  deletions: () => ({ reason_salt: null }),
  releases: () => ({ reason_salt: '' }),
};

const renameFollowUps = (db: Database, id: string, title: string) =>
  db
    .updateTable('audits')
    .set({ source_label: title })
    .where('source_thing', '=', 'audit')
    .where('source_id', '=', id)
    .execute();

/**
 * Whether a field can be absent or have another text in an earlier backup: a missed check can get
 * another reason, and a deletion can be undone.
 */
export const isReplaceable = (field: string) => /^(reason of|deletion) /.test(field);

/**
 * Rewrites an assessment and its history, whose last version has the same texts. Deletes the salts,
 * without which the hashes in the activity log reveal nothing about the original texts. A changed
 * assessment gets a new version number, so that a form that was already open cannot store the name
 * again.
 */
async function rewriteAssessment(db: Database, reportId: string, plan: RewritePlan): Promise<void> {
  const row = await db.selectFrom('assessments').selectAll().where('report_id', '=', reportId).executeTakeFirst();
  if (!row) return;
  const rewrite = (row: AssessmentRow): AssessmentRow => ({
    ...row,
    particulars: replaceJsonTexts(row.particulars, `version ${row.version} particulars`, plan.replace),
    reason: row.reason && plan.replace(`version ${row.version} reason`, row.reason),
    reason_salt: null,
  });
  const assessment = rewrite(row);
  const stored = await db.selectFrom('assessment_versions').selectAll().where('assessment_id', '=', row.id).execute();
  const versions = stored.map((version) => ({
    ...version,
    assessment: JSON.stringify(rewrite(JSON.parse(version.assessment) as AssessmentRow)),
    salt: null,
  }));
  if (assessment.particulars !== row.particulars || assessment.reason !== row.reason) {
    assessment.version += 1;
    versions.push({
      id: newId(),
      assessment_id: row.id,
      version: assessment.version,
      assessment: JSON.stringify(assessment),
      saved_at: plan.now.toISOString(),
      saved_by: '',
      saved_by_name: serverActor.name,
      salt: null,
    });
  }
  const notices = (await listNotices(db, [row.id])).map((notice) => ({
    ...notice,
    note: notice.note && plan.replace(`notice ${notice.id}`, notice.note),
    hse_reference: notice.hse_reference && plan.replace(`notice ${notice.id} reference`, notice.hse_reference),
    salt: null,
  }));
  plan.write(() => replaceAssessment(db, { assessment, versions, notices }));
}
