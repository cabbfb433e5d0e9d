import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportFormats } from '#shared/exports.ts';
import { createTestFolder } from '../testing/folder.ts';
import { naughtyStrings } from '../testing/naughty-strings.ts';
import { writeCsv } from './csv.ts';
import { createStream } from './stream.ts';
import type { Cell, Table } from './table.ts';
import { writeXlsx } from './xlsx.ts';

const folder = createTestFolder();

const table = (title: string, headings: string[], ...pages: Cell[][][]): Table<Cell[]> => ({
  title,
  columns: headings.map((heading, at) => ({ heading, width: 20, cell: (row) => row[at] ?? null })),
  pages: Readable.from(pages),
});

const csvExportFilter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';
/** Comma, double quote, UTF-8, and formulas are evaluated. */
const csvImportFilter = 'CSV:44,34,76,1,,0,false,true,false,false,false,-1,true';

/** Converts files with LibreOffice; returns what it printed. */
async function convertWithLibreOffice(format: string, ...args: string[]): Promise<string> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const options = [profile, '--headless', '--convert-to', format, '--outdir', folder, ...args];
  return (await promisify(execFile)('soffice', options)).stdout;
}

const readWithPython = (path: string): string[][] =>
  JSON.parse(
    execFileSync('python3', [
      '-c',
      'import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], encoding="utf-8-sig", newline=""), strict=True))))',
      path,
    ]).toString(),
  );

/**
 * Returns the sheet name and cells that LibreOffice reads from each spreadsheet. Reads all at once,
 * because LibreOffice takes seconds to start.
 */
async function readXlsxFiles(sources: Table<Cell[]>[]): Promise<{ sheet: string; rows: string[][] }[]> {
  const paths = sources.map((_, at) => join(folder, `list-${at}.xlsx`));
  for (const [at, source] of sources.entries()) await pipeline(writeXlsx(source), createWriteStream(paths[at] ?? ''));
  const stdout = await convertWithLibreOffice(csvExportFilter, ...paths);
  const writtenSheets = [...stdout.matchAll(/Writing sheet (.+) -> (.+)/g)];
  expect(writtenSheets).toHaveLength(sources.length);
  return Promise.all(
    writtenSheets.map(async ([, sheet = '', file = '']) => ({
      sheet,
      rows: parse(await readFile(file, 'utf8'), { bom: true, relax_column_count: true }),
    })),
  );
}

/** Unzips a spreadsheet; returns a function that searches one of its files. */
async function unzipXlsx(name: string, xlsx: Readable) {
  const path = join(folder, `${name}.xlsx`);
  await pipeline(xlsx, createWriteStream(path));
  execFileSync('python3', ['-m', 'zipfile', '-e', path, join(folder, name)]);
  return (file: string, text: RegExp) => readFileSync(join(folder, name, 'xl', file), 'utf8').match(text);
}

/** Returns text as a spreadsheet can contain it: without characters that XML does not allow. */
const toXmlText = (text: string) =>
  [...text]
    .map((character) => (/[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r\x7F-\x9F])\p{Cc}/u.test(character) ? '\uFFFD' : character))
    .join('');

describe('a CSV file', () => {
  const texts = [...naughtyStrings, 'a\n=1+1', 'a\r=1+1', '\n=1+1', '\r\n@SUM(A1)', 'a\r\n-1+1', '"\n"=1+1', ',\n"'];
  let path: string;
  beforeAll(async () => {
    path = join(folder, 'odd.csv');
    const rows = texts.map((text) => [text, 'beside it']);
    await pipeline(Readable.from(writeCsv(table('Odd', ['Text', 'Next'], rows))), createWriteStream(path));
  });

  test.each([
    ['csv-parse', async () => parse(await readFile(path), { bom: true }) as string[][]],
    ["Python's csv", async () => readWithPython(path)],
  ])('%s reads every text as typed, with an apostrophe before text that a spreadsheet would run', async (_, read) => {
    const [heading, ...rows] = await read();
    expect(heading).toEqual(['Text', 'Next']);
    for (const [at, [text, next]] of rows.entries()) {
      expect(next).toBe('beside it');
      expect([texts[at], `'${texts[at]}`]).toContain(text);
      expect(text).not.toMatch(/^[=+\-@\t\r]/);
    }
    expect(rows).toHaveLength(texts.length);
  });

  // LibreOffice takes seconds to start, longer on a busy machine.
  test('LibreOffice reads each row as one row and finds no formula', { timeout: 60_000 }, async () => {
    await convertWithLibreOffice('fods', `--infilter=${csvImportFilter}`, path);
    const sheet = await readFile(join(folder, 'odd.fods'), 'utf8');
    expect(sheet.match(/<text:p>beside it<\/text:p>/g)).toHaveLength(texts.length);
    expect(sheet).not.toContain('table:formula=');
  });

  test('a CSV file starts with a byte order mark and has ISO dates, with the offset of local time', async () => {
    const chunks = [];
    const source = table(
      'Dates',
      ['Day', 'Instant', 'Number', 'Yes'],
      [
        [{ day: '2026-11-22' }, { instant: '2026-11-22T14:02:00.000Z' }, -5, true],
        [{ day: 'Monday' }, { instant: '2026-06-01T23:30:09.500Z' }, 7.4, false],
        [{ day: '' }, { instant: 'never' }, null, null],
      ],
    );
    for await (const chunk of writeCsv(source)) chunks.push(chunk);
    expect(chunks.join('').split('\r\n')).toEqual([
      '\uFEFFDay,Instant,Number,Yes',
      '2026-11-22,2026-11-22T14:02:00+00:00,-5,Yes',
      'Monday,2026-06-02T00:30:09+01:00,7.4,No',
      ',never,,',
      '',
    ]);
  });
});

test('the rows of an export are written in slices, so that other requests get a turn', async () => {
  const blockThread = () => {
    for (const started = performance.now(); performance.now() - started < 0.2; );
    return 'text';
  };
  const columns = [{ heading: 'Slow', width: 20, cell: blockThread }];
  const source = { title: 'Slow', columns, pages: Readable.from([Array.from({ length: 500 }, () => [])]) };
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  count();
  for await (const chunk of writeCsv(source)) expect(chunk).not.toBe('');
  clearImmediate(next);
  expect(turns).toBeGreaterThan(10);
});

test.each(exportFormats)('an export as %s reads only as many rows as the client takes', async (format) => {
  let read = 0;
  async function* pages() {
    for (;;) {
      read += 1;
      // Random text, so that compression does not make it shorter.
      yield Array.from({ length: 500 }, () => [randomBytes(150).toString('latin1')]);
      await new Promise(setImmediate);
    }
  }
  const stream = await createStream(format, { ...table('Endless', ['Text']), pages: pages() });
  await once(stream, 'readable');
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  stream.destroy();
  expect(read).toBeLessThan(8);
});

describe('a spreadsheet', () => {
  const texts = [...naughtyStrings, '=1+1', '@SUM(A1)', '_x0041_', 'a\u0001b', '\uFFFE'];
  const tableOfTexts = table(
    'Odd',
    ['Text', 'Next'],
    texts.map((text) => [text, 'beside it']),
  );
  const tableOfDates = table(
    'Dates',
    ['Day', 'Instant', 'Number'],
    [
      [{ day: '2026-06-01' }, { instant: '2026-06-01T23:30:00.000Z' }, 12.5],
      [{ day: 'last Tuesday' }, { instant: 'never' }, null],
      [{ day: '1900-01-01' }, { instant: '2026-01-01T23:30:00.000Z' }, 0],
    ],
  );
  const tableWithLongName = table('Pool: is it safe? [1/2] a rather long title', ['Only heading']);
  let openedFiles: Awaited<ReturnType<typeof readXlsxFiles>>;
  beforeAll(async () => {
    openedFiles = await readXlsxFiles([tableOfTexts, tableOfDates, tableWithLongName]);
  });

  test('a spreadsheet contains every text as text, never as a formula', () => {
    const [heading, ...read] = openedFiles[0]?.rows ?? [];
    expect(heading).toEqual(['Text', 'Next']);
    const lines = (text: string | undefined) => text?.replace(/\r\n?/g, '\n');
    for (const [at, [text, next]] of read.entries()) {
      expect(next).toBe('beside it');
      expect(lines(text)).toBe(lines(toXmlText(texts[at] ?? '')));
    }
    expect(read).toHaveLength(texts.length);
  });

  test("a spreadsheet has date cells in the parks' local time, with its offset", () => {
    expect(openedFiles[1]?.rows).toEqual([
      ['Day', 'Instant', 'Number'],
      ['01/06/2026', '02/06/2026 00:30 +01:00', '12.5'],
      ['last Tuesday', 'never', ''],
      ['1900-01-01', '01/01/2026 23:30 +00:00', '0'],
    ]);
  });

  test('a spreadsheet opens even if it has no rows or its name is not allowed as a sheet name', () => {
    expect(openedFiles[2]).toEqual({ sheet: 'Pool  is it safe   1 2  a rathe', rows: [['Only heading']] });
  });

  test('a spreadsheet wraps long text and has a filter for each column', async () => {
    const headings = Array.from({ length: 28 }, (_, at) => `Column ${at}`);
    const find = await unzipXlsx('wrapped', writeXlsx(table('Wrapped', headings, [['one'], ['two']])));
    expect(find('worksheets/sheet1.xml', /<autoFilter[^>]+>/g)).toEqual(['<autoFilter ref="A1:AB3"/>']);
    // Cells without a style have the first one.
    expect(find('styles.xml', /<cellXfs.*?<\/xf>/)?.[0]).toContain('wrapText="1"');
  });

  test('a spreadsheet continues in another sheet when one is full', async () => {
    const source = table('Long', ['Row'], [['1'], ['2'], ['3']], [['4']], [['5'], ['6']]);
    const find = await unzipXlsx('sheets', writeXlsx(source, 4));
    const cells = /(?<=<t [^>]*>)[^<]+/g;
    expect(find('worksheets/sheet1.xml', cells)).toEqual(['Row', '1', '2', '3']);
    expect(find('worksheets/sheet2.xml', cells)).toEqual(['Row', '4', '5', '6']);
    // Each sheet counts its rows from the heading.
    for (const sheet of ['sheet1', 'sheet2'])
      expect(find(`worksheets/${sheet}.xml`, /(?<=<row r=")\d+(?=">)/g)).toEqual(['1', '2', '3', '4']);
    expect(find('workbook.xml', /(?<=sheet name=")[^"]+/g)).toEqual(['Long', 'Long (2)']);
    for (const sheet of ['sheet1', 'sheet2'])
      expect(find(`worksheets/${sheet}.xml`, /<autoFilter[^>]+>/g)).toEqual(['<autoFilter ref="A1:A4"/>']);
  });

  test('a spreadsheet needs little memory for 100,000 rows', async () => {
    const page = Array.from({ length: 500 }, (_, at) =>
      Array.from({ length: 20 }, (_, column) => `Cell ${at} ${column}`),
    );
    async function* pages() {
      for (let at = 0; at < 200; at += 1) {
        yield page;
        await new Promise(setImmediate);
      }
    }
    const bytesBefore = process.memoryUsage().rss;
    let maxBytes = 0;
    let bytes = 0;
    const source = { ...table('Many', page[0] ?? []), pages: pages() };
    for await (const chunk of writeXlsx(source)) {
      bytes += (chunk as Buffer).length;
      maxBytes = Math.max(maxBytes, process.memoryUsage().rss);
    }
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(maxBytes - bytesBefore).toBeLessThan(200 * 1024 * 1024);
  });

  test('a spreadsheet ends its stream with the error when reading rows fails', async () => {
    async function* pages() {
      yield [['one']];
      throw new Error('the database went away');
    }
    const source = { ...table('Broken', ['A']), pages: pages() };
    await expect(pipeline(writeXlsx(source), createWriteStream(join(folder, 'broken.xlsx')))).rejects.toThrow(
      'went away',
    );
  });
});
