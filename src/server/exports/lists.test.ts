import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { naughtyStrings } from '../testing/naughty-strings.ts';
import { writeCsv } from './csv.ts';
import {
  activityColumns,
  answerColumns,
  answerRowColumns,
  auditColumns,
  checkColumns,
  reportColumns,
  userColumns,
} from './lists.ts';
import type { Column } from './table.ts';
import { writeXlsx } from './xlsx.ts';

/** Returns a row in which every text is this one, except the given values. */
const createRow = (text: string, otherValues: object = {}): never =>
  new Proxy(otherValues, {
    get: (values, name) => (name in values ? values[name as keyof typeof values] : text),
  }) as never;

const submission = (text: string) =>
  createRow(text, { sections: [{ title: text, type: 'text' }], data: { 0: text, length: 1 } });
const lists: { [list: string]: { columns: (text: string) => Column<never>[]; row: (text: string) => never } } = {
  reports: {
    columns: () => reportColumns,
    row: (text) =>
      createRow(text, {
        mediaFiles: [],
        reportType: 'accident',
        affectedUserSignedBy: { name: text, capacity: text, reason: text },
      }),
  },
  answers: {
    columns: (text) => answerColumns([{ sections: [{ title: text, type: 'text', required: false }] }]),
    row: submission,
  },
  answerRows: {
    columns: () => answerRowColumns(true) as unknown as Column<never>[],
    row: (text) => ({ submission: submission(text), index: 0 }) as never,
  },
  audits: { columns: () => auditColumns, row: (text) => createRow(text, { media_files: [], folder: createRow(text) }) },
  checks: { columns: () => checkColumns, row: (text) => createRow(text, { state: 'late', is_time_from_device: true }) },
  users: { columns: () => userColumns(true), row: (text) => createRow(text, { parks: [text], secondFactor: 'none' }) },
  activity: {
    columns: () => activityColumns((username) => username),
    row: (text) => createRow(text, { changes: { note: text } }),
  },
};

describe.each(Object.entries(lists))('naughty strings in every column of %s', (title, { columns, row }) => {
  const rows = naughtyStrings.map(row);
  async function* pages() {
    yield rows;
  }
  const table = () => ({ title, columns: columns(naughtyStrings[7] ?? ''), pages: pages() });

  test('naughty strings are unchanged in an exported CSV file and never become a formula', async () => {
    const csvChunks = [];
    for await (const chunk of writeCsv(table())) csvChunks.push(chunk);
    const [headings, ...readRows] = parse(csvChunks.join(''), { bom: true }) as string[][];
    const { columns } = table();
    expect([headings?.length, readRows.length]).toEqual([columns.length, rows.length]);
    for (const [at, cells] of readRows.entries())
      for (const [column, cell] of cells.entries()) {
        expect(cell, columns[column]?.heading).not.toMatch(/^[=+\-@\t\r]/);
        const expected = columns[column]?.cell(rows[at] as never);
        if (typeof expected === 'string') expect([expected, `'${expected}`]).toContain(cell);
      }
  });

  test('naughty strings are stored as text in an exported spreadsheet', async () => {
    const zip = await buffer(writeXlsx(table()));
    const sheet = await readSheet(zip);
    expect(sheet).not.toMatch(/<f[ >]/);
    expect(sheet.match(/<row /g)).toHaveLength(rows.length + 1);
  });
});

async function readSheet(zip: Buffer): Promise<string> {
  const { inflateRawSync } = await import('node:zlib');
  // The sheet is the last entry of the zip. Its data follows the entry's local header.
  const name = 'xl/worksheets/sheet1.xml';
  const at = zip.indexOf(name) - 30;
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  return inflateRawSync(zip.subarray(start)).toString();
}
