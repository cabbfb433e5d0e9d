// What users learn about a checklist that they have just submitted.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { changeRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

const missing = { status: 404, message: 'Submitted checklist not found' };
const onFail = { when: 'No' as const, audit: { days: 1 } };
const sections = [{ title: 'Is it clear?', type: 'na' as const, required: true, onFail }];

describe.each(engines)('receipts of checklists on %s', (engine) => {
  let places: [indoor: string, outdoor: string];
  let checklist: string;
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-06-01T05:30:00.000Z'));
  beforeAll(async () => {
    places = (await server.addPlaces(['Indoor pool', 'Outdoor pool'])) as typeof places;
    checklist = (await server.admin(api.createChecklist, { body: { title: 'Pools', sections } })).id;
    await server.schedule(checklist, places);
  });
  const getReceipt = (id: string, client: TestClient = server.staff) =>
    client(api.getSubmissionReceipt, { params: { id } });

  test('a failing check says that the place stays closed, who was told, which audit there is and what comes next', async () => {
    server.at('06:30');
    const id = await server.submit(checklist, 'No', { placeId: places[0] });
    const receipt = await getReceipt(id);
    expect(receipt).toEqual({
      number: expect.stringMatching(/^CHK-2026-\d{4}$/),
      failing: 1,
      place: { id: places[0], name: 'Indoor pool' },
      ready: expect.objectContaining({ is_ready: false, failures: 1, place: 'Indoor pool' }),
      audits: [{ id: expect.any(String), title: 'Is it clear?' }],
      told: true,
      next: { place: { id: places[1], name: 'Outdoor pool', park: 'Lido Beach' }, number: 2, total: 2 },
    });
    const [audit] = receipt.audits;
    expect(await server.staff(api.getAudit, { params: { id: audit?.id ?? '' } })).toMatchObject({
      title: 'Is it clear?',
    });
    await server.admin(api.deleteAudit, { params: { id: audit?.id ?? '' } });
    expect((await getReceipt(id)).audits).toEqual([]);
  });

  test('a pass says since when the place is ready, and tells nobody', async () => {
    const at = server.at('06:40');
    const id = await server.submit(checklist, 'Yes', { placeId: places[1] });
    expect(await getReceipt(id)).toMatchObject({
      ...{ failing: 0, audits: [], told: false, next: null },
      ready: { is_ready: true, checked_at: at },
    });
  });

  test('the check of a park as a whole has no place, and nothing comes next', async () => {
    const id = await server.submit(checklist, 'No', { placeId: null });
    expect(await getReceipt(id)).toMatchObject({ failing: 1, place: null, ready: null, told: true, next: null });
  });

  test('a receipt is only for the user who submitted, for 24 hours, while the submission exists', async () => {
    const others = [
      server.admin,
      await server.server.as('None', 'Lido Beach'),
      await server.server.as('None', 'Mounds'),
    ];
    server.at('09:00');
    const id = await server.submit(checklist, 'Yes', { placeId: places[0] });
    for (const other of others) await expect(getReceipt(id, other)).rejects.toMatchObject(missing);
    server.at('08:59', '2026-06-02');
    expect(await getReceipt(id)).toMatchObject({ place: { name: 'Indoor pool' } });
    server.at('09:00', '2026-06-02');
    await expect(getReceipt(id)).rejects.toMatchObject(missing);

    const deleted = await server.submit(checklist, 'Yes', { placeId: places[0] });
    expect(await getReceipt(deleted)).toMatchObject({ failing: 0 });
    await server.admin(api.deleteSubmission, { params: { id: deleted }, body: { reason: 'The wrong pool' } });
    await expect(getReceipt(deleted)).rejects.toMatchObject(missing);
  });

  test('who no longer sees the park keeps the number, without its place, readiness and audits', async () => {
    const mover = await server.server.as('None', 'Lido Beach');
    const id = await server.submit(checklist, 'No', { placeId: places[0] }, mover);
    await changeRows(server.server.db, 'users', { id: mover.id }, { parks: '["Mounds"]' });
    expect(await getReceipt(id, mover)).toMatchObject({
      ...{ number: expect.any(String), failing: 1, place: null, ready: null, audits: [], next: null },
    });
  });
});
