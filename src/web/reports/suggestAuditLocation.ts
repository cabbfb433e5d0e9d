import type { Report } from '#shared/reports/reports.ts';
import { foldText } from '#shared/text.ts';

const splitWords = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns the location of a report, for an audit that everyone at the park can read; '' if it contains
 * part of the person's name, as in `Siân's caravan`.
 */
export function suggestAuditLocation({ location, name }: Pick<Report, 'location' | 'name'>): string {
  const personWords = new Set(splitWords(name).filter((word) => word.length > 1));
  return splitWords(location).some((word) => personWords.has(word)) ? '' : location;
}
