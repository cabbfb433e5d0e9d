// What pages get that were loaded before there were other types of questions: requests without `X-Types: 2`.
import type { LinkedAudit } from '#shared/audits.ts';
import { type Checklist, haveFirstTypes, type Section, type Submission, sectionTypes } from '#shared/checklists.ts';

const newTypes = sectionTypes.filter((type) => !haveFirstTypes([{ type }]));

/** Matches the JSON of sections if there are other types. Quotes in texts are escaped there. */
export const newTypePattern = new RegExp(`"type":"(?:${newTypes.join('|')})"`);

/** Returns the checklist without its questions if there are others, with what to do in its title. */
export const toReload = (checklist: Checklist): Checklist =>
  haveFirstTypes(checklist.sections)
    ? checklist
    : { ...checklist, title: `${checklist.title} (Reload this page)`, sections: [] };

/** Returns where each section of the first types is in the submission that these pages get. */
const listPositions = (sections: Section[]): Map<number, number> =>
  new Map(
    [...sections.keys()]
      .filter((index) => haveFirstTypes(sections.slice(index, index + 1)))
      .map((index, position) => [index, position]),
  );

/** Returns the submission with the questions of the first types only, and their answers. */
export function withFirstTypes(submission: Submission): Submission {
  const { sections, data, failures, notes, people: _, ...rest } = submission;
  if (haveFirstTypes(sections)) return submission;
  const positions = listPositions(sections);
  const move = <T>(byIndex: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(byIndex).flatMap(([index, value]) => {
        const position = positions.get(Number(index));
        return position === undefined ? [] : [[position, value]];
      }),
    );
  return {
    ...rest,
    data: move(data),
    sections: sections.flatMap(({ showIf: _, ...section }, index) => (positions.has(index) ? [section] : [])),
    ...(failures && { failures: move(failures) }),
    ...(notes && { notes: move(notes) }),
  };
}

/** Returns the audits of a submission with the positions of its sections in `withFirstTypes`. */
export function withFirstSections(audits: LinkedAudit[], sections: Section[]): LinkedAudit[] {
  const positions = listPositions(sections);
  return audits.map((audit) => ({
    ...audit,
    section: audit.section === null ? null : (positions.get(audit.section) ?? null),
  }));
}
