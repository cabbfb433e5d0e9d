import type { Section } from '#shared/checklists.ts';
import { isReordered, listSectionChanges } from '#shared/section-changes.ts';

/**
 * Returns, for the activity log, the titles of added, removed and changed sections, and whether any
 * were moved. Leaves out empty groups.
 */
export function describeSectionChanges(before: Section[], after: Section[]): Record<string, string[] | true> {
  const groups: Record<string, string[]> = {};
  for (const { before: from, after: to } of listSectionChanges(before, after)) {
    const name = from && to ? 'sections changed' : to ? 'sections added' : 'sections removed';
    groups[name] = [
      ...(groups[name] ?? []),
      [from, to].flatMap((section) => (section ? [describe(section)] : [])).join(' → '),
    ];
  }
  return { ...groups, ...(isReordered(before, after) && { 'sections moved': true as const }) };
}

const describe = ({ title, type, required, heading }: Section) =>
  `${heading ? `${heading}: ` : ''}“${title}” (${type}${required ? ', required' : ''})`;
