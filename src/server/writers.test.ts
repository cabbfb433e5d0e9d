// Invariants under simultaneous writes. Reports with one key: http/idempotency.test.ts; two users
// completing an audit: audits/audits.test.ts.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { verifyLog } from './activity/verify.ts';
import { newAudit, newFolder, uploadPhoto } from './testing/factories.ts';
import { readRows } from './testing/rows.ts';
import { engines } from './testing/server.ts';
import { createTestServer } from './testing/test-server.ts';

const writers = 32;
const numbers = Array.from({ length: writers }, (_, index) => index);

describe.each(engines)('thirty-two writers at once on %s', (engine) => {
  const { server } = createTestServer(engine);

  test('thirty-two writers at once attach a photo to one record only', async () => {
    const admin = await server.as('Admin');
    const folder = await newFolder(admin);
    const path = await uploadPhoto(admin);
    const audits = await Promise.all(numbers.map(() => admin(api.createAudit, { body: newAudit(folder) })));
    const body = { data: { media_files: [{ path }] } };
    const outcomes = await Promise.allSettled(audits.map(({ id }) => admin(api.updateAudit, { params: { id }, body })));
    const rejections = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejections).toHaveLength(writers - 1);
    for (const { reason } of rejections) expect(reason).toMatchObject({ status: 409, code: 'FILE_USED' });
    const auditWithPhoto = audits[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    const upload = await server.db.selectFrom('uploads').selectAll().where('path', '=', path).executeTakeFirst();
    expect(upload?.attached_id).toBe(auditWithPhoto?.id);
  });

  test('thirty-two Admins who delete each other at once leave at least one Admin, and a log without a gap', async () => {
    const admins = await Promise.all(numbers.map(() => server.as('Admin')));
    const [first] = admins;
    const others = (await first?.(api.listUsers))?.filter(({ id }) => !admins.some((admin) => admin.id === id)) ?? [];
    for (const { id } of others) await first?.(api.deleteUser, { params: { id } });
    await Promise.allSettled(
      admins.map((admin, index) => admin(api.deleteUser, { params: { id: admins[(index + 1) % writers]?.id ?? '' } })),
    );
    const remainingAdmins = await readRows(server.db, 'users', { role: 'Admin', deleted_at: null });
    expect(remainingAdmins.length).toBeGreaterThanOrEqual(1);
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
  });
});
