// The search over everything: what each user finds. Other parks are in park-separation.test.ts.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('the search over everything on %s', (engine) => {
  const { server, admin, staff } = createTestServer(engine);

  const search = async (client: TestClient, q: string) =>
    (await client(api.searchEverything, { body: { q } })).map(({ kind, title }) => `${kind}: ${title}`);

  test('each kind is found by a word of its own list, by staff only what they may open', async () => {
    const body = await newReport(staff, { location: 'Marram steps', type: 'Slip' });
    const report = await staff(api.submitAccident, { body });
    const sections = [{ title: 'Site', type: 'site' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Marram check', sections } });
    const { number } = await staff(api.submitChecklist, { body: { checklistId, data: { '0': 'Lido Beach' } } });
    const folder = await newFolder(admin, { park: 'Lido Beach', name: 'Steps' });
    await admin(api.createAudit, { body: newAudit(folder, { title: 'Mend the Marram step' }) });
    await admin(api.addPlaces, { body: { park: 'Lido Beach', names: ['Marram path'] } });
    await admin(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    const [investigation] = await admin(api.listInvestigations, { query: {} });
    await admin(api.updateUserDetails, { params: { id: staff.id }, body: { full_name: 'Mared Marram', email: '' } });
    const forAll = ['audit: Mend the Marram step', 'place: Marram path', 'checklist: Marram check'];
    expect(await search(admin, 'MARRAM')).toEqual([
      `report: ${report.number}: Slip, Marram steps`,
      `submission: ${number}: Marram check`,
      `person: Mared Marram (${staff.username})`,
      ...forAll,
    ]);
    expect(await search(staff, 'marram')).toEqual(forAll);
    expect(await search(admin, admin.username)).toEqual([`person: ${admin.username}`]);
    expect(await search(admin, investigation?.number ?? '')).toEqual([
      `investigation: ${investigation?.number}: ${report.number}`,
    ]);
    expect(await search(staff, report.number ?? '')).toEqual([]);
  });

  test('a number that was deleted and one that was never used get the same reply', async () => {
    const { id, number = '' } = await staff(api.submitAccident, { body: await newReport(staff) });
    expect(await search(admin, number)).toHaveLength(1);
    await admin(api.deleteReport, { params: { id }, body: {} });
    expect(await search(admin, number)).toEqual(await search(admin, number.replace(/\d+$/, '9999')));
  });

  test('a search begins with two letters, and is in no log', async () => {
    for (const q of ['', 'x', ' x ', '\u{200b}\u{200b}'])
      await expect(admin(api.searchEverything, { body: { q } })).rejects.toMatchObject({ status: 400 });
    const count = () => server.db.selectFrom('activity').select('seq').execute();
    const before = await count();
    await search(admin, 'step');
    expect(await count()).toEqual(before);
  });

  test('says what became of an audit, and the words of its notes by which it was found', async () => {
    const body = newAudit(await newFolder(admin), { title: 'Mend the gate', date: '2026-06-12', time: '' });
    const { id } = await admin(api.createAudit, { body });
    const found = async (q: string) =>
      (await admin(api.searchEverything, { body: { q } })).filter((one) => one.id === id);
    expect(await found('mend the gate')).toMatchObject([{ state: 'Due 12/06/2026', excerpt: '' }]);
    await admin(api.addAuditNote, { params: { id }, body: { text: 'Put in a new quillon, and oiled it' } });
    const { version } = await admin(api.getAudit, { params: { id } });
    await admin(api.updateAudit, { params: { id }, body: { version, data: { completed: true } } });
    expect(await found('quillon')).toMatchObject([
      { state: `Completed ${formatDay(getToday())}`, excerpt: 'Put in a new quillon, and oiled it' },
    ]);
  });
});
