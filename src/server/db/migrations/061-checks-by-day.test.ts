import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { engines, startTestServer } from '../../testing/server.ts';

const columns = ['day', 'park', 'closes_at', 'filled_in_at', 'opens_at', 'failures', 'checklist_id', 'place_id'];

test.each(engines)("the index by day has what is counted of a day's checks, on %s", async (engine) => {
  await using server = await startTestServer(engine);
  const name = 'due_checks_by_day';
  const query =
    engine === 'postgres'
      ? sql<{
          name: string;
        }>`select attname as name from pg_attribute where attrelid = to_regclass(${name}) order by attnum`
      : sql<{ name: string }>`select name from pragma_index_info(${name}) order by seqno`;
  expect((await query.execute(server.db)).rows.map((row) => row.name)).toEqual(columns);
});
