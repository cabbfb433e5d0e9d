// Converts a search for reports to the form of the indexed text: dates as 22/11/2026, telephone
// numbers as 11 digits.
import { parseTelephone } from '../telephone.ts';

const dayPattern = /(?<![\p{L}\p{N}])(\d{1,2})[-.](\d{1,2})[-.](\d{4}|\d{2})(?![\p{L}\p{N}])/gu;
const isoDayPattern = /(?<![\p{L}\p{N}])(\d{4})-(\d{2})-(\d{2})(?![\p{L}\p{N}])/gu;
/** A telephone number with the British country code, or the beginning of one. */
const internationalNumberPattern = /(?<![\p{L}\p{N}])(?:\+|00)44[\s().\p{Pd}]*0?(?:[\s().\p{Pd}]*\d){0,10}/gu;

/**
 * Returns the normalised search: `22-11-2026` and `2026-11-22` become `22/11/2026`, `+44 7700 900
 * 123` becomes `07700900123`.
 */
export const normaliseReportSearch = (query: string): string =>
  query
    .replace(isoDayPattern, '$3/$2/$1')
    .replace(dayPattern, '$1/$2/$3')
    .replace(internationalNumberPattern, (number) => `0${number.replace(/\D/g, '').replace(/^(?:00)?440?/, '')}`)
    .split(/\s+/)
    .map(parseTelephone)
    .join(' ');
