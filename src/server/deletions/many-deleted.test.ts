// Many deleted items while there is a hold on a person.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { onQuery } from '../testing/on-query.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { listDeleted } from './soft-delete.ts';

describe.each(engines)('many deleted items on %s', (engine) => {
  const { server, admin } = createTestServer(engine, { RATE_SCALE: '100' });

  test('listing many deleted items looks up the holds on people with few queries', async () => {
    const sections = [{ title: 'Who?', type: 'text' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    const submit = async (answer: string) => {
      const { id } = await admin(api.submitChecklist, { body: { checklistId, data: { '0': answer } } });
      await admin(api.deleteSubmission, { params: { id } });
      return id;
    };
    for (let at = 0; at < 30; at += 1) await submit('Nobody');
    const heldId = await submit('Seen by Hilda Quickstep');
    const body = { thing: 'person', thing_id: 'Hilda Quickstep', reason: 'A claim', reviewOn: '2099-01-01' } as const;
    await admin(api.setHold, { body });
    let queries = 0;
    const counted = server.db.withPlugin(onQuery(() => queries++));
    const items = await listDeleted(counted, server.config, { role: 'Admin', parks: null }, new Date());
    expect(items).toHaveLength(31);
    // Looking up each item by itself takes more than 600 queries.
    expect(queries).toBeLessThan(100);
    const held = await server.db.selectFrom('deletions').select('id').where('thing_id', '=', heldId).execute();
    expect(items.filter(({ isHeld }) => isHeld).map(({ id }) => ({ id }))).toEqual(held);
  });
});
