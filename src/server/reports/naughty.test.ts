// Whatever people type comes back as they typed it, or is refused in words; nothing in it is ever carried out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../shared/api.ts';
import { isStorable } from '../../shared/text.ts';
import { newId } from '../ids.ts';
import { fixture, newReport, photo, upload } from '../testing/factories.ts';
import { type As, engines, startTestServer, type TestServer } from '../testing/server.ts';

const naughty: string[] = JSON.parse(fixture('naughty-strings.json').toString());
const extra = [
  "'; drop table reports; --",
  "' or 1=1 --",
  '$(reboot)',
  '{{7*7}}',
  '=cmd|calc!A1',
  '\u202Egnp.exe',
  '<a href=javascript:alert(1)>',
  'a\u2028b',
  'a\rb',
  '#set x',
  '*/',
  'NULL',
  '\\N',
  '%s%n',
  '"',
  '\\',
  '\\u0041',
];
const texts = [...naughty, ...extra];
const oneLine = (text: string) =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .trim()
    .normalize('NFC');

describe.each(engines)('odd text on %s', (engine) => {
  let server: TestServer;
  let staff: As;
  let reviewer: As;
  let base: Awaited<ReturnType<typeof newReport>>;
  beforeAll(async () => {
    server = await startTestServer(engine);
    staff = await server.as('None');
    reviewer = await server.as('Admin');
    base = await newReport(staff);
  });
  afterAll(() => server.stop());

  /** Files like the base report's, three for each report, without pictures of their own: the test is about words. */
  async function withFiles(reports: number) {
    const like = await server.db
      .selectFrom('uploads')
      .selectAll()
      .where('path', '=', base.signature.path)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: reports * 3 }, () => ({ ...like, path: `/uploads/2026/01/${newId()}.png` }));
    for (let at = 0; at < rows.length; at += 500)
      await server.db
        .insertInto('uploads')
        .values(rows.slice(at, at + 500).map((row) => ({ ...row, attached_to: null, attached_id: null })))
        .execute();
    return Array.from({ length: reports }, (_, at) => {
      const [photo = '', signature = '', affected = ''] = rows.slice(at * 3).map((row) => row.path);
      return {
        mediaFiles: [{ path: photo, name: '' }],
        signature: { path: signature },
        affectedUserSignature: { path: affected },
      };
    });
  }

  /** Does it for all, sixteen at a time. */
  async function forAll<T>(items: T[], work: (item: T, at: number) => Promise<void>) {
    for (let at = 0; at < items.length; at += 16)
      await Promise.all(items.slice(at, at + 16).map((item, next) => work(item, at + next)));
  }

  test(`each of ${texts.length} texts is kept as typed in a field of a report, or refused in words`, async () => {
    const isGood = (text: string) => isStorable(text) && oneLine(text) !== '';
    const [good, bad] = [texts.filter(isGood), texts.filter((text) => !isGood(text))];
    expect(good.length).toBeGreaterThan(texts.length * 0.9);
    for (const name of bad)
      await expect(staff(api.submitAccident, { body: { ...base, name } })).rejects.toMatchObject({
        status: 400,
        fields: { name: expect.any(String) },
      });

    // Six fields take six texts at once; src/shared/reports.test.ts puts each text into each field.
    const groups = Array.from({ length: Math.ceil(good.length / 6) }, (_, at) => good.slice(at * 6, at * 6 + 6));
    const files = await withFiles(groups.length);
    const sent = new Map<string, typeof base>();
    await forAll(groups, async (group, at) => {
      const [name, reporter, type, location, details, label] = Array.from({ length: 6 }, (_, field) => {
        const text = group[field] ?? 'x';
        return [...text].slice(0, 120).join('');
      }) as [string, string, string, string, string, string];
      const { mediaFiles, ...signatures } = files[at] as NonNullable<(typeof files)[number]>;
      const media = mediaFiles.map((file) => ({ ...file, name: label, storageType: 'server' as const }));
      const body = {
        ...base,
        ...signatures,
        mediaFiles: media,
        name,
        reporter,
        type,
        location,
        details,
      } as typeof base;
      const { id } = await staff(api.submitAccident, { body });
      sent.set(id, body);
    });
    const listed = (await reviewer(api.listReports)).filter(({ id }) => sent.has(id));
    expect(listed).toHaveLength(groups.length);
    for (const { id, name, reporter, type, location, details, mediaFiles } of listed) {
      const typed = sent.get(id) as typeof base;
      expect([name, reporter, type, location, mediaFiles[0]?.name]).toEqual(
        [typed.name, typed.reporter, typed.type, typed.location, typed.mediaFiles[0]?.name ?? ''].map(oneLine),
      );
      expect(details).toBe(typed.details.normalize('NFC'));
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('in every other field, and in searches, it is never a fault', async () => {
    const statuses = new Map<number, string>();
    const seen = async (text: string, call: Promise<Response>) => {
      const response = await call;
      await response.arrayBuffer();
      statuses.set(response.status, text);
    };
    const send = (body: unknown) =>
      staff.fetch('/api/submit-accident', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await forAll(texts, async (text, at) => {
      const encoded = encodeURIComponent(text.toWellFormed());
      await seen(text, reviewer.fetch(`/api/get-reports?limit=1&q=${encoded}`));
      if (at % 8 > 0) return;
      await seen(text, send(Object.fromEntries(Object.keys(base).map((field) => [field, text]))));
      await seen(text, send({ ...base, date: text, time: text, age: text, contactNumber: text, [text]: 1 }));
      await seen(text, send({ ...base, signature: { path: text }, mediaFiles: [{ path: text }] }));
      await seen(text, reviewer.fetch(`/api/report-months?reportType=accident&q=${encoded}`));
      await seen(text, reviewer.fetch(`/api/get-reports?month=${encoded}&after=${encoded}`));
      await seen(text, reviewer.fetch(`/api/reports/${encoded}`));
      await seen(text, reviewer.fetch(`/uploads/${encoded}`));
    });
    expect([...statuses].filter(([status]) => ![200, 400, 404].includes(status))).toEqual([]);
  });

  test('as the name of a file, it is never a fault', async () => {
    const bytes = await photo();
    const some = texts.filter((_, at) => at % 25 === 0);
    await forAll(some, async (text) => expect(await upload(staff, bytes, text.toWellFormed())).toMatch(/^\/uploads\//));
  });

  test('a search finds its words literally, wherever they stand', async () => {
    const marks = [
      '100% sure',
      'under_score',
      'back\\slash',
      'say "hello"',
      "o'clock",
      'a*b',
      '(NEAR',
      'AND OR NOT',
      'x:y',
      '^start',
      '-minus',
      'curly{}',
      'ς ΟΔΥΣΣΕΥΣ',
      'straße',
      'İstanbul',
      '日本語の',
      '🚑🚒',
      '%',
      '_',
    ];
    const ids = new Map<string, string>();
    const files = await withFiles(marks.length);
    for (const [at, mark] of marks.entries()) {
      const body = { ...base, ...files[at], details: `Zz ${mark} zZ` };
      const { id } = await staff(api.submitIncident, { body });
      ids.set(mark, id);
    }
    const found = async (q: string) =>
      (await reviewer(api.listReports, { query: { q, reportType: 'incident', limit: 500 } })).map(
        (report) => report.id,
      );
    for (const [mark, id] of ids) {
      expect([mark, (await found(mark)).includes(id)]).toEqual([mark, true]);
      for (const word of mark.split(' ')) expect([word, (await found(word)).includes(id)]).toEqual([word, true]);
    }
    // Each of these stands in one report alone: none of them stands for anything else.
    for (const [q, mark] of [
      ['0%', '100% sure'],
      ['r_s', 'under_score'],
      ['k\\s', 'back\\slash'],
      ['\\', 'back\\slash'],
      ['"', 'say "hello"'],
      ['"hello"', 'say "hello"'],
      ["'", "o'clock"],
      ['*', 'a*b'],
      ['a*b', 'a*b'],
      ['(near', '(NEAR'],
      ['x:y', 'x:y'],
      ['^start', '^start'],
      ['ΟΔΥΣΣ', 'ς ΟΔΥΣΣΕΥΣ'],
      ['οδυσσευς', 'ς ΟΔΥΣΣΕΥΣ'],
      ['ΕΥΣ', 'ς ΟΔΥΣΣΕΥΣ'],
      ['STRASSE', 'none'],
      ['istanbul', 'İstanbul'],
      ['本語', '日本語の'],
      ['🚒', '🚑🚒'],
    ] as const)
      expect([q, await found(q)]).toEqual([q, ids.has(mark) ? [ids.get(mark)] : []]);
    expect((await found('%')).toSorted()).toEqual([ids.get('100% sure'), ids.get('%')].toSorted());
    expect((await found('_')).toSorted()).toEqual([ids.get('under_score'), ids.get('_')].toSorted());
    expect(await found('100 sure')).toEqual([ids.get('100% sure')]);
  });
});
