// Replies to submissions are now kept as long as their records, and records have the time when they
// were filled in.
import { type Kysely, sql } from 'kysely';
import { getEngine } from '../connect.ts';
import { runDdl } from '../tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table replies add column record text;
create index replies_by_record on replies (record) where record is not null;
alter table reports add column captured_at text;
alter table submissions add column captured_at text;
alter table audits add column captured_at text;
create index reports_by_author on reports (created_by, created_at);
create index submissions_by_author on submissions (submitted_by, submitted_at);
create index audits_by_author on audits (created_by, created_at);
`,
  );
  // The first release deleted the text of replies after a week. A record has the same timestamp as
  // its reply, so the text can be restored.
  const replyStart = `'{"success":true,"id":"' || id || '"'`;
  await runDdl(
    db,
    `
${restore(['submitAccident', 'submitIncident'], 'reports', 'created', `${replyStart} || ',"number":"' || number || '"}'`)};
${restore(['submitChecklist'], 'submissions', 'submitted', `${replyStart} || '}'`)};
${restore(['createAudit'], 'audits', 'created', `${replyStart} || '}'`)};
drop index submissions_by_author;
drop index audits_by_author;
`,
  );
  const path = getEngine(db) === 'postgres' ? sql`body::json->>'filePath'` : sql`json_extract(body, '$.filePath')`;
  await sql`update replies set record = ${path} where route = 'uploadImage' and body is not null`.execute(db);
}

function restore(routes: string[], table: string, verb: string, body: string): string {
  const one = (what: string) =>
    `(select min(${what}) from ${table} where ${verb}_by = replies.user_id and ${verb}_at = replies.created_at having count(*) = 1)`;
  return `update replies set record = ${one('id')}, body = coalesce(body, ${one(body)})
where route in (${routes.map((route) => `'${route}'`).join(', ')})`;
}
