// Converts a search for reports to the form of the indexed text: dates as 22/11/2026, telephone
// numbers as 11 digits.
import { normaliseNumbers } from '../telephone.ts';

const dayPattern = /(?<![\p{L}\p{N}])(\d{1,2})[-.](\d{1,2})[-.](\d{4}|\d{2})(?![\p{L}\p{N}])/gu;
const isoDayPattern = /(?<![\p{L}\p{N}])(\d{4})-(\d{2})-(\d{2})(?![\p{L}\p{N}])/gu;

/**
 * Returns the normalised search: `22-11-2026` and `2026-11-22` become `22/11/2026`, `+44 7700 900
 * 123` becomes `07700900123`.
 */
export const normaliseReportSearch = (query: string): string =>
  normaliseNumbers(query.replace(isoDayPattern, '$3/$2/$1').replace(dayPattern, '$1/$2/$3'));
