import { type Kysely, sql } from 'kysely';

/** Holds of exposures end only when an Admin lifts them; their reason said something else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update holds set reason = 'Exposure: review it each year.'
    where reason like 'Exposure: review it each year. Empty the field%'`.execute(db);
}
