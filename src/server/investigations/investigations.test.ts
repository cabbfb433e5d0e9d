import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import type { ApiError } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import type { Investigation, SectionContents, SectionName } from '#shared/investigations.ts';
import { readPdfText } from '../testing/documents.ts';
import { describeError } from '../testing/errors.ts';
import { newAudit, newFolder, newReport, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('investigations on %s', (engine) => {
  let folder: string;
  const { server, manager } = createTestServer(engine);
  const second = server.user('Health & Safety Manager');
  const worker = server.user('None', 'Lido Beach');
  const colleague = server.user('None', 'Lido Beach');
  beforeAll(async () => {
    folder = await newFolder(manager, { name: 'Repairs' });
  });

  const submit = async (changes: object = {}) =>
    manager(api.submitAccident, { body: await newReport(manager, { selectedPlace: 'Lido Beach', ...changes }) });
  const get = (id: string, client = manager) => client(api.getInvestigation, { params: { id } });
  const start = async () => {
    const { id } = await submit();
    return (await manager(api.createInvestigation, { body: { thing: 'report', id } })).id;
  };
  const save = async <Name extends SectionName>(
    id: string,
    section: Name,
    content: Partial<SectionContents[Name]>,
    client = manager,
  ) => {
    const { sections } = await get(id);
    const body = { section, version: sections[section].version, content } as never;
    return client(api.saveInvestigationSection, { params: { id: sections[section].id }, body });
  };
  const add = (id: string, body: { kind: string; about?: string; text?: string }, client = manager) =>
    client(api.addInvestigationNote, { params: { id }, body: body as never });
  const readPdf = async (path: string, client = manager) =>
    readPdfText(Buffer.from(await (await client.fetch(path)).arrayBuffer()));
  const fill = async (id: string, level: 'minimal' | 'low' | 'high' = 'low') => {
    await save(id, 'madeSafe', { text: 'The step was closed' });
    await save(id, 'depth', { worst: 'major', likely: 'possible', level });
    await save(id, 'facts', { text: 'A step gave way', learnt: 'Look below the steps too' });
    await save(id, 'causes', { list: [{ id: 11, kind: 'root', heading: 'process', text: 'Nobody looks below' }] });
    return save(id, 'risk', { outcome: 'holds' });
  };
  const act = async (id: string, cause: number | null = 11, changes: object = {}) => {
    const source = { thing: 'investigation' as const, id, ...(cause !== null && { cause }) };
    return (
      await manager(api.createAudit, { body: newAudit(folder, { assignee: worker.username, source, ...changes }) })
    ).id;
  };
  const complete = (id: string, client = worker) =>
    client(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
  const verify = (id: string, outcome: 'works' | 'doesNotWork', client = colleague) =>
    client(api.verifyAudit, { params: { id }, body: { outcome, text: 'I stood on it' } });

  test('a reviewer starts an investigation from a report, with a number and empty sections', async () => {
    const report = await submit();
    const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    const investigation = await get(id);
    expect(investigation).toMatchObject({
      number: expect.stringMatching(/^INV-\d{4}-\d{4}$/),
      park: 'Lido Beach',
      state: 'open',
      level: null,
      records: [{ thing: 'report', id: report.id, label: report.number, park: 'Lido Beach' }],
      actions: [],
    });
    expect(investigation.sections.statements).toMatchObject({ version: 0, content: { list: [] } });
    expect(await describeError(manager(api.createInvestigation, { body: { thing: 'report', id: report.id } }))).toBe(
      `409 It is already covered by ${investigation.number}`,
    );
    expect(await manager(api.listInvestigations, { query: { of: report.id } })).toMatchObject([{ id }]);
    expect((await manager(api.listInvestigations, { query: {} }))[0]).toMatchObject({ id, state: 'open' });
  });

  test('the reply stored for a retry of a note contains nothing of the investigation', async () => {
    const id = await start();
    await fill(id);
    await act(id);
    const { id: noteId } = await manager(api.addInvestigationNote, {
      params: { id },
      body: { kind: 'complete' },
      key: randomUUID(),
    });
    const replies = await server.db.selectFrom('replies').select('body').where('user_id', '=', manager.id).execute();
    const stored = replies.find(({ body }) => body?.includes(noteId));
    expect(JSON.parse(stored?.body ?? '')).toEqual({ success: true, id: noteId });
  });

  test('an investigation covers one or more reports, which cannot change once its findings are complete', async () => {
    const id = await start();
    const other = await submit();
    const cover = (number: string, isCovered: boolean) =>
      manager(api.coverReport, { params: { id }, body: { number, isCovered } });
    const deleted = await submit();
    await manager(api.deleteReport, { params: { id: deleted.id } });
    for (const number of ['ACC-1900-0001', deleted.number])
      expect(await describeError(cover(number, true))).toBe('400 There is no report with this number');
    expect((await cover(other.number.toLowerCase(), true)).records).toHaveLength(2);
    expect((await cover(other.number, false)).records).toHaveLength(1);
    const [{ label = '' } = {}] = (await get(id)).records;
    expect(await describeError(cover(label, false))).toMatch(/^409 An investigation covers at least one/);
    await cover(other.number, true);
    await fill(id);
    await add(id, { kind: 'complete' });
    const { records } = await get(id);
    expect(await describeError(cover((await submit()).number, true))).toMatch(/^409 The findings are complete/);
    expect(await describeError(cover(other.number, false))).toMatch(/^409 The findings are complete/);
    expect((await get(id)).records).toEqual(records);
  });

  test('two reviewers who edit one investigation never overwrite each other', async () => {
    const id = await start();
    const { sections } = await get(id);
    const send = (client: TestClient, section: 'madeSafe' | 'risk', text: string) =>
      client(api.saveInvestigationSection, {
        params: { id: sections[section].id },
        body: { section, version: 0, content: { text } as never },
      });
    await Promise.all([send(manager, 'madeSafe', 'Closed the step'), send(second, 'risk', 'It was read again')]);
    expect((await get(id)).sections).toMatchObject({
      madeSafe: { version: 1, saved_by: manager.username, content: { text: 'Closed the step' } },
      risk: { version: 1, saved_by: second.username, content: { text: 'It was read again' } },
    });
    const error: ApiError = await send(second, 'madeSafe', 'Taped it off').then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect([error.status, error.code]).toEqual([409, 'STALE']);
    expect(error.body.current).toMatchObject({ version: 1, content: { text: 'Closed the step' } });
    expect((await get(id)).sections.madeSafe.content.text).toBe('Closed the step');
  });

  test('photos of statements are for reviewers, and are kept when other parts of the section change', async () => {
    const id = await start();
    const path = await uploadPhoto(manager);
    const statement = { person: 'Siân Prys', isUnder18: true, accompaniedBy: 'Her mother' };
    await save(id, 'statements', { list: [{ ...statement, photos: [{ path, name: 'page.jpg' }] }] } as never);
    const [stored] = (await get(id)).sections.statements.content.list;
    expect(stored).toMatchObject({ ...statement, photos: [{ path, name: 'page.jpg', storageType: 'server' }] });
    await save(id, 'statements', { list: [{ ...statement, role: 'Guest', photos: [{ path, name: '' }] }] } as never);
    expect((await second.fetch(path)).status).toBe(200);
    expect((await worker.fetch(path)).status).toBe(404);
    await manager(api.deleteInvestigation, { params: { id } });
    expect((await second.fetch(path)).status).toBe(404);
  });

  test('an investigation closes by itself once every cause is answered and every action is verified', async () => {
    const id = await start();
    expect(await describeError(add(id, { kind: 'complete' }))).toMatch(/^409 Still missing: what was done at once/);
    expect((await fill(id)).finish_by).toBe(addDays(getToday(), 10));
    await add(id, { kind: 'complete' });
    expect(await get(id)).toMatchObject({
      state: 'findingsComplete',
      questions: [{ cause: 11, isAnswered: false }],
    });
    expect(await describeError(save(id, 'facts', { text: 'Something else' }))).toMatch(
      /^409 The findings are complete/,
    );
    await add(id, { kind: 'correction', text: 'It was the second step' });
    const action = await act(id);
    expect((await get(id)).actions).toMatchObject([{ id: action, cause: 11, state: 'open', canWaive: true }]);
    await complete(action);
    expect((await get(id)).actions[0]?.state).toBe('toVerify');
    const { follow_up_id = '' } = await verify(action, 'doesNotWork');
    expect(await get(id)).toMatchObject({ state: 'findingsComplete', actions: [{ current_id: follow_up_id }] });
    await complete(follow_up_id);
    await verify(follow_up_id, 'works');
    expect(await get(id)).toMatchObject({ state: 'closed', closed_on: getToday(), actions: [{ state: 'works' }] });
    await manager(api.deleteAudit, { params: { id: action } });
    expect(await get(id)).toMatchObject({ state: 'findingsComplete', questions: [{ isAnswered: false }] });
    await add(id, { kind: 'noAction', about: '11', text: 'The steps are gone' });
    expect((await get(id)).state).toBe('closed');
  });

  test('an action is waived only with a reason, by someone who did not do the work', async () => {
    const id = await start();
    await fill(id);
    const action = await act(id, 11, { assignee: second.username, date: '9999-12-31' });
    expect((await get(id)).actions).toMatchObject([{ due: '9999-12-31' }]);
    const waive = (client: TestClient, text = 'The steps are gone') =>
      add(id, { kind: 'waived', about: action, text }, client);
    expect(await describeError(waive(manager, ' '))).toMatch(/^400/);
    expect(await describeError(waive(second))).toMatch(/^403 Someone else must waive/);
    await waive(manager);
    await add(id, { kind: 'complete' });
    expect(await get(id)).toMatchObject({ state: 'closed', actions: [{ state: 'waived' }] });
    // The waiver no longer counts once the action is assigned to the reviewer who waived it.
    await second(api.updateAudit, { params: { id: action }, body: { data: { assignee: manager.username } } });
    expect((await get(id)).state).toBe('findingsComplete');
  });

  test('reviewers cannot waive an action assigned to them at a park that they may not see', async () => {
    const id = await start();
    await fill(id);
    const elsewhere = await server.as('Health & Safety Manager', 'Robin Hood');
    const action = await act(id, 11, { assignee: elsewhere.username });
    expect((await get(id, elsewhere)).actions).toMatchObject([{ assignee: '', canWaive: false }]);
    const waiver = { kind: 'waived', about: action, text: 'The steps are gone' };
    expect(await describeError(add(id, waiver, elsewhere))).toMatch(/^403 Someone else must waive/);
  });

  test('an audit that someone created from an action does not take the place of its follow-up', async () => {
    const id = await start();
    await fill(id);
    const action = await act(id);
    await complete(action);
    const body = newAudit(folder, { source: { thing: 'audit', id: action }, verification: {} });
    const { id: other } = await colleague(api.createAudit, { body });
    await complete(other);
    await verify(other, 'works');
    const { follow_up_id } = await verify(action, 'doesNotWork');
    expect((await get(id)).actions).toMatchObject([{ state: 'open', current_id: follow_up_id }]);
    expect((await manager(api.getAudit, { params: { id: action } })).data.verification).toMatchObject({ follow_up_id });
  });

  test('causes with the same id are rejected', async () => {
    const list = [1, 2].map(() => ({ id: 11, kind: 'root', heading: null, text: 'Nobody looks below' }));
    expect(await describeError(save(await start(), 'causes', { list } as never))).toBe(
      '400 Each cause needs an id of its own',
    );
  });

  test('the findings of a high-level investigation must be confirmed by another reviewer', async () => {
    const id = await start();
    await fill(id, 'high');
    await add(id, { kind: 'noAction', about: '11', text: 'Nothing can be done' });
    await add(id, { kind: 'complete' });
    expect(await get(id)).toMatchObject({ state: 'findingsComplete', needsConfirmation: true, canConfirm: false });
    expect(await describeError(add(id, { kind: 'confirmed' }))).toMatch(/^403/);
    await add(id, { kind: 'confirmed' }, second);
    expect(await describeError(add(id, { kind: 'confirmed' }, second))).toMatch(/^409/);
    expect(await get(id)).toMatchObject({ state: 'closed', needsConfirmation: false });
  });

  test('a risk assessment that does not hold needs an action', async () => {
    const id = await start();
    await fill(id);
    await save(id, 'risk', { outcome: 'none' });
    await add(id, { kind: 'noAction', about: '11', text: 'The steps are gone' });
    await add(id, { kind: 'complete' });
    expect(await describeError(add(id, { kind: 'noAction', about: '0', text: 'No' }))).toBe('409 This needs an action');
    const action = await act(id, 0);
    await complete(action);
    await verify(action, 'works');
    expect((await get(id)).state).toBe('closed');
  });

  test('a minimal investigation closes with what was learnt and one verified action', async () => {
    const id = await start();
    await save(id, 'madeSafe', { text: 'Wiped the floor' });
    await save(id, 'depth', { level: 'minimal' });
    await save(id, 'facts', { text: 'A wet floor', learnt: 'Signs were in the other building' });
    await add(id, { kind: 'complete' });
    const action = await act(id, null);
    await complete(action);
    await verify(action, 'works');
    expect((await get(id)).state).toBe('closed');
  });

  test('staff who do actions of three investigations see nothing else of them', async () => {
    const other = await newFolder(manager, { name: 'Elsewhere', park: 'Robin Hood' });
    const staff = await server.as('None', 'Lido Beach');
    const replies: unknown[] = [];
    const planted = ['Zebra'];
    for (const step of ['Step A', 'Step B', 'Step C']) {
      const id = await start();
      await fill(id);
      await save(id, 'facts', { text: 'Zebra in the facts', learnt: 'Zebra' });
      await save(id, 'statements', { list: [{ person: 'Zebra', text: 'Zebra' }] } as never);
      await save(id, 'causes', { list: [{ id: 11, kind: 'root', heading: null, text: 'Zebra in a cause' }] });
      const source = { thing: 'investigation' as const, id };
      await manager(api.createAudit, { body: newAudit(other, { title: 'Zebra elsewhere', source }) });
      await act(id, 11, { title: 'Zebra in another action', assignee: manager.username });
      const own = await act(id, 11, { title: step });
      const { number, records } = await get(id);
      planted.push(number, id, ...records.flatMap(({ id, label }) => [id, label]));
      replies.push(await complete(own), await verify(own, 'doesNotWork'));
      replies.push(await worker(api.getAudit, { params: { id: own } }), await readPdf(`/api/audit-pdf/${own}`, worker));
      replies.push(await worker(api.listAuditNotes, { params: { id: own } }));
      for (const client of [worker, staff])
        expect(await describeError(client(api.createAudit, { body: newAudit(folder, { source }) }))).toBe(
          '404 Investigation not found',
        );
    }
    replies.push(await worker(api.listNotifications), await worker(api.listOpenAudits, { query: { mine: 'yes' } }));
    const texts = JSON.stringify(replies);
    for (const step of ['Step A', 'Step B', 'Step C']) expect(texts).toContain(step);
    for (const word of planted) expect(texts).not.toContain(word);
    for (const name of ['audits', 'investigations'])
      expect((await worker.fetch(`/api/export/${name}?format=csv`)).status).toBe(403);
  });

  test('reviewers are notified when an action or its follow-up is deleted', async () => {
    const id = await start();
    const { number } = await fill(id);
    const action = await act(id, 11, { title: 'Mend the step' });
    await complete(action);
    const { follow_up_id = '' } = await verify(action, 'doesNotWork');
    await colleague(api.deleteAudit, { params: { id: follow_up_id } });
    await colleague(api.deleteAudit, { params: { id: action } });
    const texts = (await manager(api.listNotifications)).map(({ text }) => text);
    expect(texts.slice(0, 2)).toEqual([
      `Audit from ${number} at Lido Beach deleted: Mend the step`,
      'Follow-up audit from an investigation at Lido Beach deleted: Mend the step',
    ]);
  });

  test('a deleted investigation is restored, unless another one covers its report', async () => {
    const id = await start();
    const { number, records } = await get(id);
    await manager(api.deleteInvestigation, { params: { id } });
    expect(await describeError(get(id))).toBe('404 Investigation not found');
    const admin = await server.as('Admin');
    const restore = async () => {
      const deletion = (await admin(api.listDeleted)).find(({ label }) => label === number);
      return admin(api.restoreDeleted, { params: { id: deletion?.id ?? '' } });
    };
    const report = { thing: 'report' as const, id: records[0]?.id ?? '' };
    const other = await manager(api.createInvestigation, { body: report });
    expect(await describeError(restore())).toMatch(/^409 INV-.+ covers the same record/);
    await manager(api.deleteInvestigation, { params: { id: other.id } });
    await restore();
    expect((await get(id)).number).toBe(number);
  });

  test("an investigation is printed and exported, and has one line in its report's PDF with assessment", async () => {
    const id = await start();
    const { number, records } = await fill(id);
    expect(await readPdf(`/api/investigation-pdf/${id}`)).toContain(number);
    const report = `/api/report-pdf/${records[0]?.id}`;
    expect(await readPdf(report)).not.toMatch(/INV-|nvestigation/);
    const lines = (await readPdf(`${report}?assessment=1`)).split('\n');
    expect(lines.filter((line) => /INV-|nvestigation/.test(line))).toEqual([expect.stringContaining(number)]);
    const csv = await (await manager.fetch('/api/export/investigations?format=csv')).text();
    expect(csv).toContain(number);
  });

  test('a copy for safety representatives is released without names, once the findings are complete', async () => {
    const id = await start();
    await fill(id);
    await save(id, 'statements', { list: [{ person: 'Olwen Tegid', text: 'Planted Zebra' }] } as never);
    const release = (text: string) => add(id, { kind: 'released', text });
    expect(await describeError(release('A step gave way'))).toBe('409 Complete the findings first');
    await add(id, { kind: 'complete' });
    const path = `/api/investigations/${id}/representative-copy`;
    expect((await manager.fetch(path)).status).toBe(404);
    expect(await describeError(release('OLWEN TEGID and siân ŵyn jones fell'))).toBe(
      '409 The text says: OLWEN TEGID, siân ŵyn jones',
    );
    await release('A step gave way');
    expect((await manager.fetch(path)).headers.get('content-type')).toBe('application/pdf');
    expect((await worker.fetch(path)).status).toBe(403);
    expect((await get(id)).notes.at(-1)).toMatchObject({ kind: 'released', text: 'A step gave way' });
  });

  test('a reviewer can start an investigation from an audit', async () => {
    const { id: audit } = await worker(api.createAudit, { body: newAudit(folder, { title: 'Loose socket' }) });
    const { id } = await manager(api.createInvestigation, { body: { thing: 'audit', id: audit } });
    const found: Investigation = await get(id);
    expect(found.records).toEqual([
      { thing: 'audit', id: audit, label: 'Loose socket', park: 'Lido Beach', day: getToday() },
    ]);
    const elsewhere = await server.as('Health & Safety Manager', 'Robin Hood');
    expect((await get(id, elsewhere)).records[0]?.label).toBe('');
  });
});
