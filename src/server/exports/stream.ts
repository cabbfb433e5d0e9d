// A list as the bytes of a file. Pages are read only as fast as the client takes them.
import { Readable } from 'node:stream';
import type { ExportFormat } from '#shared/exports.ts';
import { writeCsv } from './csv.ts';
import type { Table } from './table.ts';
import { writeXlsx } from './xlsx.ts';

/** Creates the stream. If reading pages fails, the stream ends with that error. */
export const createStream = <Row>(format: ExportFormat, table: Table<Row>): Readable =>
  format === 'csv' ? Readable.from(writeCsv(table)) : writeXlsx(table);
