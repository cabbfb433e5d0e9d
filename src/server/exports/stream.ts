// A list as the bytes of a file. Pages are read only as fast as the client takes them.
import { Readable } from 'node:stream';
import type { ExportFormat } from '#shared/exports.ts';
import { writeCsv } from './csv.ts';
import type { Table } from './table.ts';

/** Creates the stream. If reading pages fails, the stream ends with that error. */
export const createStream = async <Row>(format: ExportFormat, table: Table<Row>): Promise<Readable> =>
  format === 'csv' ? Readable.from(writeCsv(table)) : (await import('./xlsx.ts')).writeXlsx(table);
