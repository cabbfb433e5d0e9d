// The number of reports per month, kept up to date by triggers: counting 500,000 rows takes 14 ms,
// during which SQLite serves no other request.
import { type Kysely, sql } from 'kysely';
import { getEngine } from '../connect.ts';
import { runDdl } from '../tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table report_months (
  "reportType" text not null,
  month text not null,
  count integer not null,
  primary key ("reportType", month)
);
`,
  );
  await sql`insert into report_months select "reportType", month, count(*) from reports
    where deletion_id is null group by "reportType", month`.execute(db);
  for (const statement of getEngine(db) === 'postgres' ? postgresTriggers : sqliteTriggers)
    await sql.raw(statement).execute(db);
}

const remove = `update report_months set count = count - 1 where "reportType" = old."reportType" and month = old.month`;

const sqliteTriggers = [
  `create trigger reports_counted after insert on reports when new.deletion_id is null begin
    insert into report_months values (new."reportType", new.month, 1) on conflict do update set count = count + 1; end`,
  `create trigger reports_uncounted after delete on reports when old.deletion_id is null begin ${remove}; end`,
  `create trigger reports_recounted after update of deletion_id, month, "reportType" on reports begin
    ${remove} and old.deletion_id is null;
    insert into report_months select new."reportType", new.month, 1 where new.deletion_id is null
      on conflict do update set count = count + 1; end`,
];

const postgresTriggers = [
  `create function count_reports() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      if old.deletion_id is null then ${remove}; end if;
    end if;
    if tg_op <> 'DELETE' then
      if new.deletion_id is null then
        insert into report_months values (new."reportType", new.month, 1)
          on conflict ("reportType", month) do update set count = report_months.count + 1;
      end if;
    end if;
    return null;
  end $$`,
  `create trigger count_reports after insert or delete or update of deletion_id, month, "reportType" on reports
    for each row execute function count_reports()`,
];
