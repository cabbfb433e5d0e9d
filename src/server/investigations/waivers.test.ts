// Who may say that an action of an investigation need not be done.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { describeError } from '../testing/errors.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { findInvestigation } from './store.ts';

describe.each(engines)('waived actions on %s', (engine) => {
  const { server } = createTestServer(engine);

  test('an action is not waived by someone to whom it was assigned in the 30 days before, by name or id', async () => {
    const manager = await server.as('Health & Safety Manager');
    const colleague = await server.as('Health & Safety Manager', 'Lido Beach');
    // They do not see the park, so the audit has only their name.
    const elsewhere = await server.as('Health & Safety Manager', 'Robin Hood');
    const worker = await server.as('None', 'Lido Beach');
    const { id: report } = await manager(api.submitAccident, { body: await newReport(manager) });
    const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report } });
    const source = { thing: 'investigation' as const, id };
    const body = newAudit(await newFolder(manager), { assignee: colleague.username, source });
    const { id: action } = await manager(api.createAudit, { body });
    for (const { username } of [elsewhere, worker])
      await manager(api.updateAudit, { params: { id: action }, body: { data: { assignee: username } } });
    const waive = (client: typeof manager) =>
      client(api.addInvestigationNote, { params: { id }, body: { kind: 'waived', about: action, text: 'It is gone' } });
    for (const earlier of [colleague, elsewhere]) {
      expect(await describeError(waive(earlier))).toMatch(/^403 Someone else must waive this action: .+30 days$/);
      const mayWaive = async (days: number) => {
        const now = new Date(Date.now() + days * 24 * 60 * 60_000);
        return (await findInvestigation(server.db, { id: earlier.id, parks: null }, id, now))?.actions[0]?.canWaive;
      };
      expect([await mayWaive(29), await mayWaive(31)]).toEqual([false, true]);
    }
    await waive(manager);
    const { actions } = await manager(api.getInvestigation, { params: { id } });
    expect(actions).toMatchObject([{ state: 'waived' }]);
  });
});
