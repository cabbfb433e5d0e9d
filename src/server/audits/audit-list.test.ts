// The list of audits by state: open, to verify, completed, all; its search, its filters and who sees what.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { auditStates, type OpenAuditQuery } from '#shared/audits.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('the list of audits on %s', (engine) => {
  const park = 'Lido Beach';
  let folder: string;
  let otherFolder: string;
  const { server, admin } = createTestServer(engine, { RATE_SCALE: '100' });
  const staff = server.user('None', park);
  const colleague = server.user('None', park);
  const elsewhere = server.user('None', 'Robin Hood');
  const manager = server.user('Health & Safety Manager', park);
  beforeAll(async () => {
    folder = await newFolder(staff, { name: 'Chalets', park });
    otherFolder = await newFolder(elsewhere, { name: 'Chalets', park: 'Robin Hood' });
  });

  const create = async (changes: object = {}, client = staff, where = folder) =>
    (await client(api.createAudit, { body: newAudit(where, { description: '', location: '', ...changes }) })).id;
  const complete = (id: string, client = staff) =>
    client(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
  const addNote = (id: string, text: string, client = staff) =>
    client(api.addAuditNote, { params: { id }, body: { text } });
  const titles = async (query: Partial<OpenAuditQuery> & { limit?: number }, client = staff) =>
    (await client(api.listOpenAudits, { query: { limit: 200, ...query } })).map(({ title }) => title);
  const exported = async (query: object, client = manager) =>
    Buffer.from(await client(api.exportAudits, { query: { format: 'csv', ...query } }))
      .toString()
      .split('\r\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => line.split(',')[2]);

  test('each state has its audits, in its order, on the screen and in the export', async () => {
    const where = await newFolder(staff, { name: 'States', park });
    const filters = { folder: where };
    const verification = { verifier: colleague.username };
    await create({ title: 'later', date: '2090-01-02' }, staff, where);
    await create({ title: 'soon', date: '2026-01-02' }, staff, where);
    const [first, second] = [
      await create({ title: 'done first' }, staff, where),
      await create({ title: 'done last', verification }, staff, where),
    ];
    const deleted = await create({ title: 'deleted', completed: true }, staff, where);
    await complete(first);
    await complete(second);
    await staff(api.deleteAudit, { params: { id: deleted } });
    const states = {
      toComplete: ['soon', 'later'],
      open: ['soon', 'done last', 'later'],
      verify: ['done last'],
      completed: ['done last', 'done first'],
      all: ['done last', 'done first', 'soon', 'later'],
    };
    for (const state of auditStates) {
      expect(await titles({ ...filters, state }), state).toEqual(states[state]);
      expect(await exported({ ...filters, list: state }), state).toEqual(states[state]);
    }
    // As tabs of earlier versions ask.
    for (const earlier of [{}, { verify: 'yes' as const }]) {
      expect(await titles({ ...filters, ...earlier })).toEqual(states[earlier.verify ? 'verify' : 'open']);
      expect(await exported({ ...filters, ...earlier, open: 'yes' })).toEqual(
        states[earlier.verify ? 'verify' : 'open'],
      );
    }
    await colleague(api.verifyAudit, { params: { id: second }, body: { outcome: 'works', text: 'Holds' } });
    expect(await titles({ ...filters, state: 'verify' })).toEqual([]);
    expect(await titles({ ...filters, state: 'completed' })).toEqual(states.completed);
    expect(await titles({ ...filters, state: 'all', overdue: 'yes' })).toEqual(['soon']);
  });

  test('pages of each state end where the next ones begin', async () => {
    const where = await newFolder(staff, { name: 'Pages', park });
    for (let at = 0; at < 5; at += 1)
      await create({ title: `open ${at}`, date: '2026-01-02', time: null }, staff, where);
    for (let at = 0; at < 5; at += 1)
      await complete(await create({ title: `done ${at}`, verification: {} }, staff, where));
    for (const state of auditStates) {
      const whole = await titles({ folder: where, state });
      const paged: string[] = [];
      for (let after = ''; ; ) {
        const page = await staff(api.listOpenAudits, { query: { folder: where, state, limit: 2, after } });
        paged.push(...page.map(({ title }) => title));
        const last = page.at(-1);
        if (!last) break;
        after = last.id;
      }
      expect(paged, state).toEqual(whole);
      expect(new Set(paged).size, state).toBe({ toComplete: 5, open: 10, verify: 5, completed: 5, all: 10 }[state]);
    }
    // An audit of another park is no place to go on from.
    const after = await create({}, elsewhere, otherFolder);
    for (const state of auditStates) expect(await titles({ state, after })).toEqual([]);
  });

  test('words are found in titles, descriptions, locations and notes, together and in any state', async () => {
    const id = await create({
      title: 'Handrail of Tŷ Glas',
      description: 'Loose at\nthe bottom',
      location: 'Chalet 229',
    });
    await create({ title: 'Handrail', location: 'Chalet 230' });
    await addNote(id, 'Ordered new BRACKETS');
    for (const q of [
      ...['handrail ty', 'LOOSE', 'chalet 229', 'brackets', 'rack', '229 brackets ty', 'handrail glas 9', 'bottom of'],
      ...['at 229', '229', 'ordered bottom'],
    ])
      expect(await titles({ q }), q).toEqual(['Handrail of Tŷ Glas']);
    for (const q of ['229 window', 'brackets 230', '%', '229_', 'zz 229', '"brackets" or', staff.username])
      expect(await titles({ q }), q).toEqual([]);
    expect(await titles({ q: 'handrail' })).toHaveLength(2);
    expect(await titles({ q: ' ', folder })).toEqual(await titles({ folder }));
    // As tabs of earlier versions ask.
    expect(await titles({ title: 'HANDRAIL 229' })).toEqual(['Handrail of Tŷ Glas']);
    expect(await exported({ list: 'all', q: 'brackets' })).toEqual(['Handrail of Tŷ Glas']);

    await complete(id);
    expect(await titles({ q: 'brackets' })).toEqual([]);
    for (const state of ['completed', 'all'] as const)
      expect(await titles({ q: 'brackets', state })).toEqual(['Handrail of Tŷ Glas']);
    await addNote(id, 'Tightened again');
    expect(await titles({ q: 'tightened 229', state: 'completed' })).toEqual(['Handrail of Tŷ Glas']);

    const changed = await create({ title: 'Gutter', description: 'blocked' });
    await staff(api.updateAudit, {
      params: { id: changed },
      body: { title: 'Downpipe', data: { description: 'cracked' } },
    });
    expect(await titles({ q: 'gutter' })).toEqual([]);
    expect(await titles({ q: 'blocked' })).toEqual([]);
    expect(await titles({ q: 'downpipe cracked' })).toEqual(['Downpipe']);
    await staff(api.deleteAudit, { params: { id: changed } });
    expect(await titles({ q: 'downpipe', state: 'all' }, admin)).toEqual([]);
  });

  test('only audits of the parks of the user are listed and found, also by a note', async () => {
    const id = await create({ title: 'Kestrel nest', description: 'Kestrel' }, elsewhere, otherFolder);
    await addNote(id, 'Kestrel again', elsewhere);
    await complete(id, elsewhere);
    for (const state of ['completed', 'all'] as const)
      for (const [client, found] of [
        [staff, []],
        [manager, []],
        [elsewhere, ['Kestrel nest']],
        [admin, ['Kestrel nest']],
      ] as const) {
        expect(await titles({ q: 'kestrel', state }, client)).toEqual(found);
        expect(await titles({ q: 'kestrel', state, park: 'Robin Hood' }, client)).toEqual(found);
        expect((await titles({ state, folder: otherFolder }, client)).includes('Kestrel nest')).toBe(found.length > 0);
      }
    // A report from which an audit was created stays hidden from staff.
    expect(JSON.stringify(await staff(api.listOpenAudits, { query: { state: 'all' } }))).not.toContain('"source"');
    await admin(api.deleteFolder, { params: { id: otherFolder } });
    expect(await titles({ q: 'kestrel', state: 'all' }, admin)).toEqual([]);
    expect(await titles({ state: 'all' }, elsewhere)).toEqual([]);
  });

  test('a place shows everything that was ever put right there', async () => {
    await manager(api.addPlaces, { body: { park, names: ['Chalet 7', 'Chalet 8'] } });
    const places = await manager(api.listPlaces);
    const [place, other] = ['Chalet 7', 'Chalet 8'].map((name) => places.find((one) => one.name === name)?.id ?? '');
    const done = await create({ title: 'Step repaired', location: 'Chalet 7', placeId: place });
    await complete(done);
    await create({ title: 'Lamp', location: 'Chalet 7', placeId: place });
    await create({ title: 'Elsewhere', location: 'Chalet 8', placeId: other });
    expect(await titles({ state: 'all', place })).toEqual(['Lamp', 'Step repaired']);
    expect(await titles({ state: 'completed', place })).toEqual(['Step repaired']);
    expect(await titles({ state: 'all', place, q: 'step' })).toEqual(['Step repaired']);
    expect((await staff(api.getPlace, { params: { id: place ?? '' } })).audits.map(({ title }) => title)).toEqual([
      'Lamp',
    ]);
    expect(await titles({ state: 'all', place }, elsewhere)).toEqual([]);
  });

  test('a person finds what they have to do, and of completed audits what they were assigned or completed', async () => {
    const where = await newFolder(staff, { name: 'People', park });
    const folderOnly = { folder: where };
    const assignee = colleague.username;
    await create({ title: 'to do', assignee }, staff, where);
    await complete(await create({ title: 'done for them', assignee }, staff, where));
    await complete(await create({ title: 'done by them' }, staff, where), colleague);
    await complete(await create({ title: 'to verify', verification: { verifier: assignee } }, staff, where));
    await complete(await create({ title: 'of Bob', assignee: 'Bob the builder' }, staff, where));
    const expected = {
      toComplete: ['to do'],
      open: ['to do', 'to verify'],
      verify: ['to verify'],
      completed: ['done by them', 'done for them', 'to verify'],
      all: ['done by them', 'done for them', 'to do', 'to verify'],
    };
    for (const state of auditStates) {
      expect((await titles({ ...folderOnly, state, assignee })).toSorted(), state).toEqual(expected[state]);
      expect((await titles({ ...folderOnly, state, mine: 'yes' }, colleague)).toSorted(), state).toEqual(
        expected[state],
      );
    }
    expect(await titles({ ...folderOnly, state: 'completed', assignee: 'Bob the builder' })).toEqual(['of Bob']);
    expect(await titles({ ...folderOnly, state: 'all', unassigned: 'yes' })).toEqual([]);
  });

  test('an erased name is not found any more, in an audit or a note', async () => {
    const id = await create({ title: 'Ask Zephyrine', description: 'Zephyrine knows' });
    await addNote(id, 'Zephyrine came by');
    expect(await titles({ q: 'zephyrine' })).toEqual(['Ask Zephyrine']);
    const request = { name: 'Zephyrine', spellings: [], number: '', receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body: request })).id };
    await admin(api.blankNames, { params, body: { ids: [`audit:${id}`], count: 1, reason: 'asked' } });
    expect(await titles({ q: 'zephyrine', state: 'all' })).toEqual([]);
    for (const table of ['audits', 'audit_notes'] as const)
      expect(JSON.stringify(await server.db.selectFrom(table).selectAll().execute()).toLowerCase()).not.toContain(
        'zephyrine',
      );
  });

  test('an unknown state is refused', async () => {
    await expect(staff(api.listOpenAudits, { query: { state: 'closed' as never } })).rejects.toMatchObject({
      status: 400,
    });
  });
});
