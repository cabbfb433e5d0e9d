// Which sections differ between two versions of a checklist, for the activity log and for conflicts.
import type { Section } from './checklists.ts';

/** A section of one version with its counterpart in the other; without one it was added or removed. */
export type SectionChange = { before?: Section; after?: Section };

/** Pairs the sections that differ: by title first, then by position. */
export function listSectionChanges(before: Section[], after: Section[]): SectionChange[] {
  const removed = listUnmatched(before, after);
  const added = listUnmatched(after, before);
  const changes: SectionChange[] = [];
  for (const matches of [
    (a: Section, b: Section) => a.title === b.title,
    (a: Section, b: Section) => before.indexOf(a) === after.indexOf(b),
  ])
    for (const section of [...removed]) {
      const match = added.find((other) => matches(section, other));
      if (!match) continue;
      removed.splice(removed.indexOf(section), 1);
      added.splice(added.indexOf(match), 1);
      changes.push({ before: section, after: match });
    }
  return [...changes, ...removed.map((before) => ({ before })), ...added.map((after) => ({ after }))];
}

/** Whether the same sections are in another order. */
export function isReordered(before: Section[], after: Section[]): boolean {
  if (listSectionChanges(before, after).length > 0) return false;
  const [keys, otherKeys] = [toKeys(before), toKeys(after)];
  return keys.some((key, at) => key !== otherKeys[at]);
}

/**
 * Returns each section as a text to compare. The question on which it depends is named by its title, because its index
 * changes with sections above it.
 */
const toKeys = (sections: Section[]): string[] =>
  sections.map(({ showIf, ...section }) =>
    JSON.stringify([section, showIf && [sections[showIf.section]?.title, showIf.answers]]),
  );

/**
 * Returns the sections without an equal one in the other list. Each section of that list matches only
 * once.
 */
function listUnmatched(sections: Section[], otherSections: Section[]): Section[] {
  const keys = toKeys(sections);
  const unmatched = toKeys(otherSections);
  return sections.filter((_, index) => {
    const at = unmatched.indexOf(keys[index] as string);
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
}
