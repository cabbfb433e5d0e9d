// What an investigation says on paper: everything, once, with a summary on the first page.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { SectionContents, SectionName } from '#shared/investigations.ts';
import { newAudit, newFolder, newReport, uploadPhoto } from '../testing/factories.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server, manager } = createTestServer('sqlite');
const colleague = server.user('Health & Safety Manager', 'Lido Beach');

type Contents = { [Name in SectionName]?: Partial<SectionContents<object>[Name]> };
type Title = { cause: number; title: string };

/** Investigates a new report, with findings that are complete. Returns its id and those of its actions. */
async function investigate(contents: Contents, titles: Title[]) {
  const { id: report } = await manager(api.submitAccident, { body: await newReport(manager) });
  const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report } });
  const { sections } = await manager(api.getInvestigation, { params: { id } });
  for (const [section, content] of Object.entries(contents))
    await manager(api.saveInvestigationSection, {
      params: { id: sections[section as SectionName].id },
      body: { section, version: 0, content } as never,
    });
  const folder = await newFolder(manager);
  const actions: string[] = [];
  for (const { cause, title } of titles) {
    const body = newAudit(folder, {
      title,
      assignee: colleague.username,
      source: { thing: 'investigation', id, cause },
    });
    actions.push((await manager(api.createAudit, { body })).id);
  }
  await note(id, 'complete');
  return { id, actions };
}

const note = (id: string, kind: string, text = '', about = '') =>
  manager(api.addInvestigationNote, { params: { id }, body: { kind, text, about } as never });

async function print(id: string) {
  const input = Buffer.from(await (await manager.fetch(`/api/investigation-pdf/${id}`)).arrayBuffer());
  const run = (...options: string[]) => execFileSync('pdftotext', [...options, '-', '-'], { input, encoding: 'utf8' });
  // Header and footer are on every page.
  const pages = run('-raw')
    .split('\f')
    .map((page) =>
      page.replace(/^.*Investigation$/m, '').replace(/^INV-\S+ Made .*|^Page \d+ of \d+$|^Item Details.*/gm, ''),
    );
  const bottoms = run('-bbox', '-l', '1').matchAll(/yMax="([\d.]+)"/g);
  return {
    pages,
    text: pages.join('\n'),
    bottom: Math.max(...[...bottoms].map(([, y]) => Number(y)).filter((y) => y < 780)),
  };
}

/** Words with a number each: `facts1 facts2`. */
const say = (name: string, count: number, between = ' ') =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`).join(between);
const countWords = (text: string, name: string) => text.match(new RegExp(`\\b${name}\\d+\\b`, 'g')) ?? [];

const short: Contents = {
  madeSafe: { text: say('safe', 9) },
  depth: { worst: 'serious', likely: 'possible', level: 'low' },
  facts: { text: say('facts', 40), learnt: say('learnt', 20), tookPart: say('part', 3) },
  statements: { list: [{ id: 5, person: 'person1', text: say('statement', 30), photos: [] }] } as never,
  causes: { list: [{ id: 1, kind: 'root', heading: 'process', text: say('cause', 12) }] },
  risk: { outcome: 'holds', text: say('risk', 9) },
};
const names = [
  'safe',
  'facts',
  'learnt',
  'part',
  'person',
  'statement',
  'cause',
  'risk',
  'action',
  'waived',
  'correction',
];

test('the PDF of an investigation says nothing twice', async () => {
  const { id, actions } = await investigate(short, [
    { cause: 1, title: say('action', 5) },
    { cause: 1, title: 'A second one' },
  ]);
  await note(id, 'waived', say('waived', 4), actions[0]);
  await note(id, 'correction', say('correction', 4));
  const investigation = await manager(api.getInvestigation, { params: { id } });
  await note(id, 'released', `What happened\n${say('facts', 40)}`);
  const { text } = await print(id);
  for (const name of names) {
    const words = countWords(text, name);
    expect(words).not.toEqual([]);
    expect(words).toEqual([...new Set(words)]);
  }
  const lines = text.split('\n').filter(Boolean);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  for (const once of ['Lido Beach', 'Low', 'What happened', 'What was learnt', investigation.records[0]?.label ?? ''])
    expect(text.split(once).length - 1, once).toBe(1);
  expect(text).toMatch(/^Action 1 \(Cause 1\) /m);
  expect(text).toMatch(/Action waived Action 1\. waived1/);
});

test('the first page of an investigation is full when there are more', async () => {
  const photos = await Promise.all([1, 2, 3, 4].map(() => uploadPhoto(manager)));
  const list = [
    { ...{ id: 5, person: 'person1', text: say('statement', 400) }, photos: photos.map((path) => ({ path })) },
  ];
  const { id } = await investigate({ ...short, statements: { list } as never }, [{ cause: 1, title: 'Look below' }]);
  const { pages, bottom } = await print(id);
  expect(pages.length).toBeGreaterThan(2);
  // Of 842 points, the header takes 79 and the footer 60.
  expect((bottom - 79) / (842 - 79 - 60)).toBeGreaterThan(0.8);
});

test('the longest investigation is summarised on the first page, and continues after it without loss', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  const list = ids.map((id) => ({
    ...{ id, kind: 'underlying' as const, heading: null },
    text: say(`cause${id}x`, 60, id % 2 ? ' ' : '\n'),
  }));
  const contents: Contents = {
    ...short,
    facts: { text: say('facts', 300, '\n'), learnt: say('learnt', 900), tookPart: say('part', 3) },
    causes: { list },
  };
  const titles = ids.slice(0, 7).map((cause) => ({ cause, title: say(`action${cause}x`, 18) }));
  const { id } = await investigate(contents, titles);
  const { pages, text } = await print(id);
  for (const heading of ['What happened', 'What was learnt', 'Why', 'Actions'])
    expect(pages[0]).toMatch(new RegExp(`^${heading}$`, 'm'));
  const all = [['facts', 300], ['learnt', 900], ...ids.map((id) => [`cause${id}x`, 60]), ['action7x', 18]] as const;
  for (const [name, count] of all)
    expect(countWords(text, String(name))).toEqual(say(String(name), Number(count)).split(' '));
});
