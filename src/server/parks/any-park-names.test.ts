// Parks of any name that a list may have: staff of one read nothing of another.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getNameKey } from '#shared/text.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { writeParkList } from '../testing/park-list.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { parseParkList } from './park-list.ts';

const sign = fc.constantFrom(...`"'/&<>\`(){}[]$^*+?.:#!~- éŵŁßçaAbBcC`, '🏖️', '\u0301');
/** `A` and `a`, and names of which one begins another, are common among so few letters. */
const name = fc
  .string({ unit: sign, minLength: 1, maxLength: 5 })
  .map((text) => text.normalize('NFC').trim())
  .filter((text) => !text.startsWith('#') && isListed(text));
const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4, selector: getNameKey });

function isListed(name: string): boolean {
  try {
    return parseParkList(name).length === 1;
  } catch {
    return false;
  }
}

describe.each(engines)('parks of any name on %s', (engine) => {
  const list = writeParkList(['Lido Beach']);
  const { server, admin } = createTestServer(engine, { PARKS_FILE: list.path });
  afterAll(async () => {
    list.remove();
  });

  /** Everything that staff can list, as text. */
  const readAll = async (staff: TestClient) =>
    JSON.stringify(
      await Promise.all([
        staff(api.listFolders),
        staff(api.listOpenAudits),
        staff(api.listMyReports),
        staff(api.listPlaces),
        staff(api.listDueChecks),
        staff(api.listNames),
        staff(api.searchEverything, { body: { q: 'Zyxwv' } }),
      ]),
    );

  test('staff read what is of their park, and nothing of another', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(names, async (parks) => {
        run += 1;
        list.write(parks);
        await server.restart();
        const secrets = parks.map((_, index) => `Zyxwv${run}of${index}`);
        const staff: TestClient[] = [];
        for (const [index, park] of parks.entries()) {
          const name = secrets[index] ?? '';
          const one = await server.as('None', park);
          await admin(api.updateUserDetails, { params: { id: one.id }, body: { full_name: name, email: '' } });
          await admin(api.addPlaces, { body: { park, names: [name] } });
          const folder = await newFolder(admin, { park, name });
          await admin(api.createAudit, { body: newAudit(folder, { title: name }) });
          await one(api.submitAccident, { body: await newReport(one, { selectedPlace: park, name }) });
          staff.push(one);
        }
        for (const [index, one] of staff.entries()) {
          const read = await readAll(one);
          expect(secrets.filter((secret) => read.includes(secret))).toEqual([secrets[index]]);
        }
        const [park = '', other = ''] = parks;
        const reports = await admin(api.listReports, { query: { park } });
        expect(reports.map(({ selectedPlace }) => selectedPlace)).not.toContain(other);
        expect(reports.map((report) => report.name)).toContain(secrets[0]);
        const csv = await (await admin.fetch(`/api/export/places?format=csv&park=${encodeURIComponent(park)}`)).text();
        expect(secrets.filter((secret) => csv.includes(secret))).toEqual([secrets[0]]);
      }),
      { numRuns: 5 },
    );
  });
});
