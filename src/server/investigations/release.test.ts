import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { readPdfText } from '../testing/documents.ts';
import { getError } from '../testing/errors.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { sendMessage } from '../testing/messages.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('copies for safety representatives on %s', (engine) => {
  const { server, manager } = createTestServer(engine);

  /** Starts an investigation of a report and completes its findings. */
  async function start(report: string, facts: object = {}) {
    const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report } });
    const contents = {
      madeSafe: { text: 'The step was closed' },
      depth: { worst: 'minor', likely: 'rare', level: 'minimal' },
      facts: { text: 'A step gave way', learnt: 'Look below the steps too', ...facts },
      statements: { list: [{ person: 'Olwen Tegid', text: 'Planted Zebra' }] },
    };
    const { sections } = await manager(api.getInvestigation, { params: { id } });
    for (const [section, content] of Object.entries(contents)) {
      const { id, version } = sections[section as keyof typeof contents];
      await manager(api.saveInvestigationSection, { params: { id }, body: { section, version, content } as never });
    }
    await manager(api.addInvestigationNote, { params: { id }, body: { kind: 'complete' } });
    return { id };
  }

  test('names are found of people of an action, of the guest who sent the message, who took part and of users who have left', async () => {
    const message = await sendMessage(server, { name: 'Gethin Prosser' }, { park: 'Lido Beach' });
    const body = { ...(await newReport(manager, { selectedPlace: 'Lido Beach' })), messageId: message.id };
    const report = await manager(api.submitAccident, { body });
    const { id } = await start(report.id, { tookPart: 'The safety rep, Meinir Hopcyn' });
    const source = { thing: 'investigation' as const, id };
    const folder = await newFolder(manager);
    await manager(api.createAudit, { body: newAudit(folder, { assignee: 'Olwen Cadwgan', source }) });
    const left = await server.as('None', 'Lido Beach');
    await manager(api.deleteUser, { params: { id: left.id } });
    const text = `Prosser told cadwgan, and Hopcyn the safety rep. ${left.username} repaired it.`;
    const release = manager(api.addInvestigationNote, { params: { id }, body: { kind: 'released', text } as never });
    const { found } = (await getError(release)).body as { found: { found: string }[] };
    expect(found.map((one) => one.found)).toEqual(['Prosser', 'cadwgan', 'Hopcyn', left.username]);
  });

  test('a copy is released once each part that may show who someone is was replaced or left, in the text as it was read', async () => {
    const body = await newReport(manager, { selectedPlace: 'Lido Beach' });
    const { id } = await start((await manager(api.submitAccident, { body })).id);
    const at = await server.as('None', 'Lido Beach');
    const elsewhere = await server.as('None', 'Robin Hood');
    for (const [{ id: user }, full_name] of [
      [at, 'Rose Harker'],
      [elsewhere, 'Idwal Roberts'],
    ] as const)
      await server.db.updateTable('users').set({ full_name }).where('id', '=', user).execute();
    const release = (text: string, decisions?: object) =>
      manager(api.addInvestigationNote, { params: { id }, body: { kind: 'released', text, decisions } as never });
    const review = async (text: string, decisions?: object) => (await getError(release(text, decisions))).body;
    const text = `Tegid rang 07700 900123 on 12/03/2026. Mrs Tudor saw a rose, and Rose saw ${at.username}. Roberts left.`;
    const { code, hash, found } = await review(text);
    expect(code).toBe('IDENTIFIABLE');
    expect(found).toEqual([
      { field: 'text', kind: 'name', before: '', found: 'Tegid', after: ' rang 07700 900123 on 12/03/2026.' },
      { field: 'text', kind: 'number', before: 'Tegid rang ', found: '07700 900123', after: ' on 12/03/2026.' },
      expect.objectContaining({ found: 'Mrs Tudor' }),
      expect.objectContaining({ found: 'Rose' }),
      expect.objectContaining({ found: at.username }),
    ]);
    const choices = ['replace', 'replace', 'replace', 'leave', 'replace'];
    // Not with a decision too few, and not for another text.
    for (const decisions of [
      { hash, choices: [] },
      { hash, choices: choices.slice(1) },
      { hash: 'x', choices },
    ])
      expect(await review(text, decisions)).toMatchObject({ code: 'IDENTIFIABLE', hash });
    expect((await review(`${text} `, { hash, choices })).hash).not.toBe(hash);
    await release(text, { hash, choices });
    const released = '[name] rang [number] on 12/03/2026. [name] saw a rose, and Rose saw [name]. Roberts left.';
    const { notes } = await manager(api.getInvestigation, { params: { id } });
    expect(notes.at(-1)).toMatchObject({ kind: 'released', text: released });
    const pdf = await manager.fetch(`/api/investigations/${id}/representative-copy`);
    const printed = readPdfText(Buffer.from(await pdf.arrayBuffer()));
    expect(printed).toContain('Rose saw [name]');
    expect(printed).not.toMatch(/Tegid|Tudor|07700/);
  });
});
