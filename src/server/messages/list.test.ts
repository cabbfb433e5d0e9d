// The list of open messages: its order, its groups and its pages.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type ListedMessage, messagesPerPage } from '#shared/places/messages.ts';
import { type SentMessage, sendMessage } from '../testing/messages.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const minute = 60_000;
const start = Date.parse('2026-06-01T10:00:00Z');

describe.each(engines)('the list of open messages on %s', (engine) => {
  let ms = start;
  const { server } = createTestServer(engine, { RATE_SCALE: '1000' });
  const manager = server.user('Health & Safety Manager', 'Mounds');
  beforeEach(async () => {
    await server.db.deleteFrom('guest_messages').execute();
    await server.db.deleteFrom('guest_counters').execute();
    ms = start;
  });

  const send = async (words: string, fields: SentMessage = {}, place = 'Pool') => {
    ms += 1000;
    return (await sendMessage(server, { words, ...fields }, { now: new Date(ms), place })).id;
  };
  const list = (query: { page?: string; group?: string; closed?: '1' } = {}) =>
    manager(api.listMessages, { query: query as never });
  const show = (messages: ListedMessage[]) =>
    messages.map(({ words, group }) => (group ? `${words} and ${group.texts - 1} more` : words));
  const close = (id: string) => manager(api.closeMessage, { params: { id }, body: { reason: 'Done' } });

  test('someone hurt comes first, then urgent kinds, then others; then the rank at the label; then the newest', async () => {
    await send('old step', {}, 'Bar');
    await send('fire', { kind: 'Fire' }, 'Gate');
    const network = 'a';
    await send('first from a', { network, hurt: 'hurt' });
    await send('second from a', { network, hurt: 'hurt' });
    await send('third from a', { network });
    await send('first from b', { network: 'b', hurt: 'hurt' });
    await send('gas', { kind: 'Gas or smell' }, 'Gate');
    await send('nearly', { hurt: 'nearly' });
    const order = [
      'first from b',
      'first from a',
      'second from a',
      'gas',
      'fire',
      'nearly',
      'old step',
      'third from a',
    ];
    expect(show(await list())).toEqual(order);
  });

  test('four messages of one label, network and hour are one row in the place of the best, and opening it shows every text', async () => {
    const network = 'a';
    for (const words of ['1', '2', '3']) await send(words, { network });
    expect(show(await list())).toEqual(['1', '2', '3']);
    await send('4', { network, hurt: 'hurt' });
    await send('elsewhere', { network }, 'Bar');
    await send('by others', { network: 'b', kind: 'Fire' });
    expect(show(await list())).toEqual(['4 and 3 more', 'by others', 'elsewhere']);
    const [{ group }] = (await list()) as [ListedMessage];
    expect(group).toMatchObject({ sent: 4, texts: 4, hurt: 1 });
    expect(show(await list({ group: group?.id ?? '' }))).toEqual(['4', '1', '2', '3']);
    ms += 60 * minute;
    await send('an hour later', { network });
    expect(show(await list())).toEqual(['4 and 3 more', 'by others', 'an hour later', 'elsewhere']);
    const other = await server.as('Health & Safety Manager', 'Kingsley');
    expect(await other(api.listMessages, { query: { group: group?.id } })).toEqual([]);
  });

  test('a row of a group says how many messages it stands for; with fewer than four open ones they are rows again', async () => {
    const network = 'a';
    const ids: string[] = [];
    for (const words of ['1', '2', '3', '4', '5']) ids.push(await send(words, { network }));
    await close(ids[0] ?? '');
    expect(show(await list())).toEqual(['2 and 3 more']);
    await close(ids[3] ?? '');
    expect(show(await list())).toEqual(['2', '3', '5']);
    expect(show(await list({ closed: '1' })).toSorted()).toEqual(['1', '4']);
  });

  test('a message whose audit is deleted is a row of its own again', async () => {
    const network = 'a';
    const ids: string[] = [];
    for (const words of ['1', '2', '3', '4', '5']) ids.push(await send(words, { network }));
    const source = { thing: 'message' as const, id: ids[1] ?? '' };
    const audit = await manager(api.createAudit, { body: { title: 'Step', source } as never });
    expect(show(await list())).toEqual(['1 and 3 more']);
    await manager(api.deleteAudit, { params: { id: audit.id } });
    expect(show(await list())).toEqual(['1 and 3 more', '2']);
  });

  test('the list has pages, and without a page the first rows, as pages of an earlier version read it', async () => {
    const count = messagesPerPage * 2 + 10;
    for (let at = 0; at < count; at += 1) await send(`${at}`);
    const newestFirst = Array.from({ length: count }, (_, at) => `${count - 1 - at}`);
    const pages = [await list({ page: '1' }), await list({ page: '2' }), await list({ page: '3' })];
    expect(pages.map(({ length }) => length)).toEqual([messagesPerPage, messagesPerPage, 10]);
    expect(show(pages.flat())).toEqual(newestFirst);
    expect(await list({ page: '4' })).toEqual([]);
    expect(show(await list())).toEqual(newestFirst.slice(0, 200));
  });

  const command = fc.record({
    what: fc.constantFrom('send', 'send', 'send', 'close', 'junk', 'undo'),
    network: fc.constantFrom('a', 'b'),
    place: fc.constantFrom('Pool', 'Bar'),
    hurt: fc.constantFrom('no' as const, 'hurt' as const),
    kind: fc.constantFrom('Fire' as const, 'Other' as const),
    wait: fc.constantFrom(0, 30 * minute),
    at: fc.nat(),
  });

  test('whatever is sent, closed and opened again, the list is what its definition says', async () => {
    const describeRow = ({ id, group }: ListedMessage) => [id, group?.texts ?? 0, group?.hurt ?? 0];
    /** The rows as defined, from all open messages. */
    async function defineRows() {
      const rows = await server.db.selectFrom('guest_messages').selectAll().where('closed_at', 'is', null).execute();
      const compare = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
        a.priority - b.priority ||
        a.rank - b.rank ||
        b.created_at.localeCompare(a.created_at) ||
        (a.id < b.id ? -1 : 1);
      const groups = Map.groupBy(rows.toSorted(compare), ({ group_id }) => group_id);
      const listed = [...groups.values()].flatMap((group) =>
        group.length < 4
          ? group.map((row) => ({ row, texts: 0, hurt: 0 }))
          : [
              {
                row: group[0] as (typeof rows)[number],
                texts: group.length,
                hurt: group.filter(({ hurt }) => hurt === 'hurt').length,
              },
            ],
      );
      return listed.sort((a, b) => compare(a.row, b.row)).map(({ row, texts, hurt }) => [row.id, texts, hurt]);
    }
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 25 }), async (commands) => {
        await server.db.deleteFrom('guest_messages').execute();
        for (const { what, network, place, hurt, kind, wait, at } of commands) {
          ms += wait;
          const state = what === 'undo' ? 'is not' : 'is';
          const rows = await server.db
            .selectFrom('guest_messages')
            .select(['id', 'hurt'])
            .where('closed_at', state, null)
            .orderBy('id')
            .execute();
          const row = rows[at % Math.max(1, rows.length)];
          if (what === 'send') await send('x', { network, hurt, kind }, place);
          else if (row && what === 'close') await close(row.id);
          else if (row && what === 'junk' && row.hurt !== 'hurt')
            await manager(api.markJunk, { body: { ids: [row.id] } });
          else if (row && what === 'undo') await manager(api.undoJunk, { body: { ids: [row.id] } });
          expect((await list()).map(describeRow)).toEqual(await defineRows());
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 15 : 3)) },
    );
  });
});
