// Names of the types of sections, and what differs between two checklists.
import { failingChoices, NewChecklist, type NotesRule, type Section, type SectionType } from '#shared/checklists.ts';
import { describePlannedAudit, formatRange } from '#shared/failing-answers.ts';
import { isReordered, listSectionChanges } from '#shared/section-changes.ts';
import type { Difference } from '../../ui/dialogs/ConflictDialog.tsx';

export const typeNames: Record<SectionType, string> = {
  text: 'Text',
  site: 'Site (one of the parks)',
  checkbox: 'Checkbox',
  signature: 'Signature',
  time: 'Time',
  date: 'Date',
  na: 'Yes, No or N/A',
  choice: 'One of a list',
  choices: 'Several of a list',
  photo: 'Photos',
  person: 'Person',
  info: 'Text to read',
};

export const notesNames: Record<NotesRule, string> = { failing: 'At failing answers', any: 'At any answer' };

/** Format each field of a section, by its label in the editor. */
const fields: Record<string, (section: Section, sections: Section[]) => string> = {
  Heading: ({ heading = '' }) => heading,
  'Section title': ({ title }) => title,
  Type: ({ type }) => typeNames[type],
  Required: ({ required }) => (required ? 'Yes' : 'No'),
  Number: ({ number }) => (number ? formatRange(number) || 'Any number' : ''),
  'N/A for the number': ({ number }) =>
    number?.allowNA ? (number.onNA === 'passes' ? 'Allowed, the check passes' : 'Allowed') : '',
  Help: ({ help = '' }) => help,
  Choices: ({ choices = [] }) => choices.map(({ text, fails }) => (fails ? `${text} (failing)` : text)).join(', '),
  'Shown only if': ({ showIf }, sections) =>
    showIf ? `${sections[showIf.section]?.title ?? ''}: ${showIf.answers.join(', ')}` : '',
  'Failing answer': ({ type, onFail }) =>
    failingChoices[type]?.find(({ value }) => value === onFail?.when)?.label ?? '',
  'Photo of the failure': ({ onFail }) => (onFail?.photo === 'required' ? 'Required' : ''),
  Audit: describePlannedAudit,
  Assignees: ({ onFail }) =>
    Object.entries(onFail?.audit?.assignees ?? {})
      .map(([park, name]) => `${park}: ${name}`)
      .join(', '),
};

/** Returns all differing fields, because all are kept or dropped together. */
export function listChecklistDifferences(typed: NewChecklist, theirs: NewChecklist): Difference[] {
  // As the server would store it.
  const mine = NewChecklist.parse(typed);
  const [before, after] = [theirs.sections, mine.sections];
  const differences = [{ label: 'Checklist title', mine: mine.title, theirs: theirs.title }];
  const [myNotes, theirNotes] = [mine, theirs].map(({ notes = 'failing' }) => notesNames[notes]);
  differences.push({ label: 'Notes and photos', mine: myNotes ?? '', theirs: theirNotes ?? '' });
  for (const { before: from, after: to } of listSectionChanges(before, after)) {
    const name = to ? `Section ${after.indexOf(to) + 1}` : `Section ${before.indexOf(from as Section) + 1} of theirs`;
    if (from && to)
      for (const [label, format] of Object.entries(fields))
        differences.push({
          label: `${name}, ${to.title}: ${label}`,
          mine: format(to, after),
          theirs: format(from, before),
        });
    else differences.push({ label: name, mine: to?.title ?? '', theirs: from?.title ?? '' });
  }
  const listTitles = (sections: Section[]) => sections.map(({ title }) => title).join(', ');
  if (isReordered(before, after))
    differences.push({ label: 'Order of the sections', mine: listTitles(after), theirs: listTitles(before) });
  return differences.filter(({ mine, theirs }) => mine !== theirs);
}
