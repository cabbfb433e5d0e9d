// Writes a spreadsheet (Office Open XML, ECMA-376) as a stream. Libraries were not used, because
// they keep whole sheets in memory.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { parseDay } from '#shared/dates.ts';
import { type Cell, type Table, toParkTime, writeRows } from './table.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypePrefix = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Positions in `cellXfs` of the style sheet below. */
const styles = { plain: 0, heading: 1, day: 2, winterTime: 3, summerTime: 4 } as const;

/** The default level, 6, takes three times as long for a file that is a fifth smaller. */
const compressionLevel = 1;

/** Maximum length of a cell in UTF-16 units: Excel's limit. */
const longestText = 32_767;

/** Rows of a sheet, with the headings: Excel's limit. */
const maxSheetRows = 1_048_576;

/**
 * Returns the table as a stream of an .xlsx file. Rows beyond the limit of a sheet continue in
 * another sheet. If reading pages fails, the stream ends with that error.
 */
export function writeXlsx<Row>(table: Table<Row>, maxRows = maxSheetRows): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  addFiles(zip, table, maxRows, output).catch((error: Error) => output.destroy(error));
  return output;
}

async function addFiles<Row>(zip: ZipFile, table: Table<Row>, maxRows: number, output: Readable): Promise<void> {
  const rows = createRowReader(table.pages);
  output.once('close', rows.stop);
  const paths: string[] = [];
  do {
    const sheet = Readable.from(writeSheet({ ...table, pages: rows.read(maxRows - 1) }));
    output.once('close', () => sheet.destroy());
    const path = `worksheets/sheet${paths.length + 1}.xml`;
    zip.addReadStream(sheet, `xl/${path}`, { compressionLevel });
    paths.push(path);
    await finished(sheet);
  } while (await rows.hasMore());
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(head + xml), path);
  const parts = paths.map(
    (path) => `<Override PartName="/xl/${path}" ContentType="${contentTypePrefix}.worksheet+xml"/>`,
  );
  const sheets = paths.map((_, at) => {
    const name = toSheetName(table.title, at === 0 ? '' : ` (${at + 1})`);
    return `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`;
  });
  const links = paths.map(
    (path, at) => `<Relationship Id="rId${at + 1}" Type="${relationships}/worksheet" Target="${path}"/>`,
  );
  add(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypePrefix}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypePrefix}.styles+xml"/>${parts.join('')}</Types>`,
  );
  add(
    '_rels/.rels',
    `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packageRelationships}">${links.join('')}<Relationship Id="rId${paths.length + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  );
  add('xl/styles.xml', styleSheet);
  zip.end();
}

/** Returns a reader that passes pages on in parts, up to a number of rows for each sheet. */
function createRowReader<Row>(pages: AsyncIterable<Row[]>) {
  const pageIterator = pages[Symbol.asyncIterator]();
  let rest: Row[] = [];
  async function hasMore(): Promise<boolean> {
    while (rest.length === 0) {
      const { value, done } = await pageIterator.next();
      if (done) return false;
      rest = value;
    }
    return true;
  }
  return {
    hasMore,
    async *read(count: number): AsyncGenerator<Row[]> {
      for (let rowsLeft = count; rowsLeft > 0 && (await hasMore()); ) {
        const part = rest.slice(0, rowsLeft);
        rest = rest.slice(part.length);
        rowsLeft -= part.length;
        yield part;
      }
    },
    stop: () => void pageIterator.return?.(),
  };
}

const cellStyles = [
  '',
  'fontId="1" applyFont="1"',
  ...[164, 165, 166].map((format) => `numFmtId="${format}" applyNumberFormat="1"`),
].map((format) => `<xf ${format} applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`);

const styleSheet = `<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm&quot; +00:00&quot;"/><numFmt numFmtId="166" formatCode="dd/mm/yyyy\\ hh:mm&quot; +01:00&quot;"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5">${cellStyles.join('')}</cellXfs></styleSheet>`;

async function* writeSheet<Row>(table: Table<Row>): AsyncGenerator<string> {
  const { columns } = table;
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const headings = columns.map(({ heading }) => writeText(heading, styles.heading));
  // The pane keeps the first row in view while a user scrolls.
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${writeRow(1, headings)}`;
  let lastRow = 1;
  yield* writeRows(table, (rows) => {
    const numberOfFirst = lastRow + 1;
    lastRow += rows.length;
    const toCells = (row: Row) => columns.map(({ cell }) => writeCell(cell(row)));
    return rows.map((row, at) => writeRow(numberOfFirst + at, toCells(row))).join('');
  });
  yield `</sheetData><autoFilter ref="A1:${getColumnName(columns.length)}${lastRow}"/></worksheet>`;
}

/** Returns the letters of a column: `A` for the first, `AB` for column 28. */
function getColumnName(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return column > 26 ? getColumnName(Math.floor((column - 1) / 26)) + letter : letter;
}

/** The number of a row is optional, but some programs need it. */
const writeRow = (number: number, cells: string[]) => `<row r="${number}">${cells.join('')}</row>`;

function writeCell(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'string') return writeText(cell);
  if (typeof cell === 'boolean') return writeText(cell ? 'Yes' : 'No');
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if ('day' in cell) return writeDate(parseDay(cell.day), styles.day) ?? writeText(cell.day);
  const [, local, offset] = /^(.{19})(.{6})$/.exec(toParkTime(cell.instant) ?? '') ?? [];
  return writeDate(local, offset === '+00:00' ? styles.winterTime : styles.summerTime) ?? writeText(cell.instant);
}

/** Returns a cell that is text, whatever its first character: only an `<f>` element is a formula. */
const writeText = (text: string, style: number = styles.plain) =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escapeXml(text.slice(0, longestText))}</t></is></c>`;

/**
 * Returns the cell of a day or local time, which Excel stores as the number of days since 30
 * December 1899. Returns undefined for early dates, for which Excel counts differently.
 */
function writeDate(localDateTime: string | undefined, style: number): string | undefined {
  if (localDateTime === undefined || localDateTime < '1900-03-01') return undefined;
  const days =
    (Date.parse(localDateTime.length === 10 ? localDateTime : `${localDateTime}Z`) - Date.UTC(1899, 11, 30)) /
    86_400_000;
  return `<c s="${style}"><v>${days}</v></c>`;
}

// Escapes characters that XML does not allow. Excel writes a character by its code as `_x0041_`, so
// that pattern in text is escaped too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: many times faster than \p{Cc}.
const invalidXmlCharacters = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;
const xmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(invalidXmlCharacters, '\uFFFD')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"\r]/g, (character) => xmlEntities[character] ?? '');

/** Returns a sheet name of at most 31 characters, without those that Excel forbids. */
const toSheetName = (title: string, end: string) =>
  (title
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31 - end.length)
    .trim() || 'List') + end;
