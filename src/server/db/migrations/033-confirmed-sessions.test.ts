import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { sha256 } from '../../hash.ts';
import { firstReleaseUserId, startUpgradedServer } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

const token = 'x'.repeat(43);

// Sessions got a method in 031 and a new token at each confirmation in 033.
test.each(engines.flatMap((engine) => ['030', '032'].map((last) => [last, engine] as const)))(
  'a session of a database at migration %s still works, on %s',
  async (last, engine) => {
    const id = firstReleaseUserId('huw');
    const now = new Date().toISOString();
    await using server = await startUpgradedServer(engine, last, async (db) => {
      await sql`insert into sessions (token_hash, user_id, created_at, last_seen_at) values (${sha256(token)}, ${id}, ${now}, ${now})`.execute(
        db,
      );
    });
    const huw = server.withCookie(`hs_session=${token}`, id, 'huw');
    expect((await huw(api.getSession)).user).toMatchObject({ username: 'huw', role: 'Health & Safety Manager' });
    expect(await huw(api.listSessions)).toEqual([expect.objectContaining({ method: 'password', isThis: true })]);
    await expect(huw(api.startAppSetUp)).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' });
  },
);
