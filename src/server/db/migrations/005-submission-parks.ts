// The park of a submission. Older ones get it from their first answer to a `site` section, or none.
import { type Kysely, sql } from 'kysely';
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Section } from '#shared/checklists.ts';
import { runDdl } from '../tables.ts';

const page = 500;

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, `alter table submissions add column park text not null default '';\n`);
  for (let after = -1; ; ) {
    const { rows } = await sql<{ id: string; position: number; data: string; sections: string }>`
      select submissions.id, submissions.position, submissions.data, checklist_versions.sections
      from submissions
      join checklist_versions on checklist_versions.checklist_id = submissions.checklist_id
        and checklist_versions.version = submissions.checklist_version
      where submissions.position > ${after} order by submissions.position limit ${page}`.execute(db);
    const last = rows.at(-1);
    if (!last) break;
    for (const { id, data, sections } of rows) {
      const park = findAnsweredPark(JSON.parse(sections) as Section[], JSON.parse(data) as Answers);
      if (park) await sql`update submissions set park = ${park} where id = ${id}`.execute(db);
    }
    after = last.position;
  }
  await runDdl(db, 'create index submissions_by_park on submissions (park, position) where deletion_id is null;\n');
}
