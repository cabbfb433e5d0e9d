import type { Section } from '#shared/checklists.ts';

/**
 * Returns, for the activity log, the titles of added, removed and changed sections, and whether any
 * were moved. Leaves out empty groups.
 */
export function describeSectionChanges(before: Section[], after: Section[]): Record<string, string[] | true> {
  const removedSections = listUnmatched(before, after, isSame);
  const addedSections = listUnmatched(after, before, isSame);
  const changed: string[] = [];
  // Matches sections by title first, then by position.
  for (const matches of [
    (a: Section, b: Section) => a.title === b.title,
    (a: Section, b: Section) => before.indexOf(a) === after.indexOf(b),
  ])
    for (const section of [...removedSections]) {
      const match = addedSections.find((other) => matches(section, other));
      if (!match) continue;
      removedSections.splice(removedSections.indexOf(section), 1);
      addedSections.splice(addedSections.indexOf(match), 1);
      changed.push(`${describe(section)} → ${describe(match)}`);
    }
  const isMoved =
    removedSections.length + addedSections.length + changed.length === 0 &&
    before.some((section, at) => !isSame(section, after[at]));
  return {
    ...(addedSections.length > 0 && { 'sections added': addedSections.map(describe) }),
    ...(removedSections.length > 0 && { 'sections removed': removedSections.map(describe) }),
    ...(changed.length > 0 && { 'sections changed': changed }),
    ...(isMoved && { 'sections moved': true as const }),
  };
}

const describe = ({ title, type, required, heading }: Section) =>
  `${heading ? `${heading}: ` : ''}“${title}” (${type}${required ? ', required' : ''})`;

const isSame = (a: Section, b: Section | undefined) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the sections without a match in the other list. Each section of that list matches only
 * once.
 */
function listUnmatched(
  sections: Section[],
  otherSections: Section[],
  isMatch: (a: Section, b: Section) => boolean,
): Section[] {
  const unmatched = [...otherSections];
  return sections.filter((section) => {
    const at = unmatched.findIndex((other) => isMatch(section, other));
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
}
