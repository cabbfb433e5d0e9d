// Passes every text of a record that may name a person to a function, and stores the texts that it
// returns. Usernames of accounts stay: see "Former user" in destroy.ts.
import type { ErasableType } from '#shared/law/name-erasure.ts';
import { createSubmissionSearchText } from '../checklists/submissions.ts';
import { serverActor } from '../db/activity-log.ts';
import { getTypeKey } from '../db/report-filter.ts';
import { getReportSearchText } from '../db/report-search-text.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { type AssessmentRow, listNotices, replaceAssessment } from '../law/store.ts';
import { deleteFiles } from '../uploads/store.ts';
import { listRecordsWithUploads } from './files.ts';
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
  const rewritten = await rewriters[thing](db, id, plan);
  if (!rewritten) return undefined;
  await rewriteFileNames(db, thing, id, plan);
  await rewriteDeletion(db, thing, id, plan);
  await rewriteNotifications(db, id, plan);
  if (!isChanged) return undefined;
  for (const write of pendingWrites) await write();
  return rewritten;
}

const rewriters: Record<
  ErasableType,
  (db: Database, id: string, plan: RewritePlan) => Promise<RewrittenRecord | undefined>
> = {
  async report(db, id, plan) {
    const row = await db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const texts = {
      name: plan.replace('name', row.name),
      contactNumber: plan.replace('contactNumber', row.contactNumber),
      reporter: plan.replace('reporter', row.reporter),
      type: plan.replace('type', row.type),
      location: plan.replace('location', row.location),
      details: plan.replace('details', row.details),
    };
    const affectedUserSignedBy = rewriteJson(row.affectedUserSignedBy, 'signedBy', plan);
    const mediaFiles = rewriteJson(row.mediaFiles, 'mediaFiles', plan);
    // A signature shows the name, so it is deleted too.
    const isSignerChanged = findSigner({ ...texts, affectedUserSignedBy }) !== findSigner(row);
    const signatures = {
      signature: texts.reporter === row.reporter ? row.signature : null,
      affectedUserSignature: isSignerChanged ? null : row.affectedUserSignature,
    };
    const keptPaths: (string | null)[] = Object.values(signatures);
    const paths = [row.signature, row.affectedUserSignature].filter(
      (path) => path !== null && !keptPaths.includes(path),
    );
    plan.write(() =>
      db
        .updateTable('reports')
        .set({
          ...texts,
          ...signatures,
          mediaFiles,
          affectedUserSignedBy,
          type_key: getTypeKey(texts.type),
          search_text: getReportSearchText({ ...row, ...texts }),
          // Remove the hash of the original texts, because a guess at the name could be checked
          // with it.
          fingerprint: '',
        })
        .where('id', '=', id)
        .execute(),
    );
    plan.write(() => deleteFiles(db, paths as string[]));
    await rewriteAssessment(db, id, plan);
    return { label: row.number, version: null, paths: paths as string[] };
  },

  async submission(db, id, plan) {
    const row = await db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const data = rewriteJson(row.data, 'answers', plan);
    const failure_notes = rewriteJson(row.failure_notes, 'failing answers', plan);
    plan.write(() =>
      db
        .updateTable('submissions')
        .set({
          data,
          failure_notes,
          search_text: createSubmissionSearchText({ ...row, data, failure_notes }),
        })
        .where('id', '=', id)
        .execute(),
    );
    return { label: row.number, version: null, paths: [] };
  },

  async audit(db, id, plan) {
    const row = await db.selectFrom('audits').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const title = plan.replace('title', row.title);
    // If the audit follows from another one, the label is an earlier title of that audit. Labels of
    // other records are numbers.
    const hasTitle = row.source_thing === 'audit' && row.source_label !== null;
    const source_label = hasTitle ? plan.replace('source', row.source_label ?? '') : row.source_label;
    // Keep the assignee of an audit if it is the username of an account.
    const data = rewriteJson(row.data, 'data', plan, row.assignee_id ? ['assignee'] : []);
    plan.write(() =>
      db
        .updateTable('audits')
        .set({ title, data, source_label, version: row.version + 1 })
        .where('id', '=', id)
        .execute(),
    );
    plan.write(() =>
      db
        .updateTable('audits')
        .set({ source_label: title })
        .where('source_thing', '=', 'audit')
        .where('source_id', '=', id)
        .execute(),
    );
    for (const note of await db.selectFrom('audit_notes').selectAll().where('audit_id', '=', id).execute()) {
      const words = plan.replace(`note ${note.id}`, note.words);
      const media_files = rewriteJson(note.media_files, `photos of note ${note.id}`, plan);
      plan.write(() => db.updateTable('audit_notes').set({ words, media_files }).where('id', '=', note.id).execute());
    }
    return { label: '', version: row.version, paths: [] };
  },

  async folder(db, id, plan) {
    const row = await db.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const name = plan.replace('name', row.name);
    const description = plan.replace('description', row.description);
    plan.write(() =>
      db
        .updateTable('folders')
        .set({ name, description, version: row.version + 1 })
        .where('id', '=', id)
        .execute(),
    );
    return { label: '', version: row.version, paths: [] };
  },

  async check(db, id, plan) {
    const row = await db
      .selectFrom('due_checks')
      .select(['reason', 'reason_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const reason = row.reason && plan.replace(`reason of ${row.reason_at}`, row.reason);
    plan.write(() => db.updateTable('due_checks').set({ reason }).where('id', '=', id).execute());
    return { label: '', version: null, paths: [] };
  },

  async hold(db, id, plan) {
    const row = await db.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const thing_id = row.thing === 'person' ? plan.replace('person', row.thing_id) : row.thing_id;
    const reason = plan.replace('reason', row.reason);
    plan.write(() => db.updateTable('holds').set({ thing_id, reason, reason_salt: '' }).where('id', '=', id).execute());
    return { label: '', version: null, paths: [] };
  },
};

/**
 * Whether a field can be absent or have another text in an earlier backup: a missed check can get
 * another reason, and a deletion can be undone.
 */
export const isReplaceable = (field: string) => /^(reason of|deletion) /.test(field);

type SignedReport = { name: string; affectedUserSignedBy: string | null };

/** Returns the name of the person who signed as the affected party or for them. */
function findSigner({ name, affectedUserSignedBy: signedBy }: SignedReport): string {
  if (signedBy === null) return name;
  try {
    return (JSON.parse(signedBy) as { name: string }).name;
  } catch {
    return signedBy;
  }
}

/** Members that describe a file; their values are not typed by users. */
const fileKeys = ['path', 'type', 'storageType'];

/** Replaces the texts in JSON. Damaged JSON is treated as one text. */
function rewriteJson<Json extends string | null>(
  json: Json,
  field: string,
  { replace }: RewritePlan,
  except: string[] = [],
) {
  if (json === null) return json;
  const rewrite = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return replace(path, value);
    if (Array.isArray(value)) return value.map((item, index) => rewrite(item, `${path} ${index}`));
    if (!value || typeof value !== 'object') return value;
    const keptKeys = 'path' in value ? [...fileKeys, ...except] : except;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        keptKeys.includes(key) ? item : rewrite(item, `${path} ${key}`),
      ]),
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return replace(field, json) as Json;
  }
  const rewritten = rewrite(value, field);
  return JSON.stringify(rewritten) as Json;
}

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
    particulars: rewriteJson(row.particulars, `version ${row.version} particulars`, plan),
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
    salt: null,
  }));
  plan.write(() => replaceAssessment(db, { assessment, versions, notices }));
}

async function rewriteFileNames(db: Database, thing: ErasableType, id: string, plan: RewritePlan): Promise<void> {
  for (const { attached_to, attached_id } of await listRecordsWithUploads(db, thing, id)) {
    const uploads = await db
      .selectFrom('uploads')
      .select(['path', 'label'])
      .where('attached_to', '=', attached_to)
      .where('attached_id', '=', attached_id)
      .execute();
    for (const upload of uploads) {
      const label = plan.replace(`file ${upload.path}`, upload.label);
      plan.write(() => db.updateTable('uploads').set({ label }).where('path', '=', upload.path).execute());
    }
  }
}

/** Rewrites why the record was deleted or released, and its title among the deleted items. */
async function rewriteDeletion(db: Database, thing: ErasableType, id: string, plan: RewritePlan): Promise<void> {
  const deletion = await db.selectFrom('deletions').selectAll().where('thing_id', '=', id).executeTakeFirst();
  if (!deletion) return;
  const isTitle = thing === 'audit' || thing === 'folder';
  const field = `deletion ${deletion.id}`;
  const label = isTitle ? plan.replace(`${field} title`, deletion.label) : deletion.label;
  const reason = deletion.reason && plan.replace(`${field} reason`, deletion.reason);
  const changes = { label, reason, reason_salt: null };
  plan.write(() => db.updateTable('deletions').set(changes).where('id', '=', deletion.id).execute());
  const releases = db.selectFrom('releases').select('reason').where('deletion_id', '=', deletion.id);
  const release = await releases.executeTakeFirst();
  if (!release) return;
  const releaseChange = { reason: plan.replace(`${field} release`, release.reason), reason_salt: '' };
  plan.write(() => db.updateTable('releases').set(releaseChange).where('deletion_id', '=', deletion.id).execute());
}

async function rewriteNotifications(db: Database, id: string, plan: RewritePlan): Promise<void> {
  const notifications = await db
    .selectFrom('notifications')
    .select(['id', 'words'])
    .where('thing_id', '=', id)
    .execute();
  for (const notification of notifications) {
    const words = plan.replace(`notification ${notification.id}`, notification.words);
    plan.write(() => db.updateTable('notifications').set({ words }).where('id', '=', notification.id).execute());
  }
}
