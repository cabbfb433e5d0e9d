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
export const isReordered = (before: Section[], after: Section[]): boolean =>
  listSectionChanges(before, after).length === 0 && before.some((section, at) => !isSame(section, after[at]));

const isSame = (a: Section, b: Section | undefined) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the sections without an equal one in the other list. Each section of that list matches only
 * once.
 */
function listUnmatched(sections: Section[], otherSections: Section[]): Section[] {
  const unmatched = [...otherSections];
  return sections.filter((section) => {
    const at = unmatched.findIndex((other) => isSame(section, other));
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
}
