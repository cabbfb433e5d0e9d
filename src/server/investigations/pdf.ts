// An investigation as a printed record: a summary that fits on a page, then the rest. Nothing is said twice: what is too
// long for the summary continues after it.
import { formatDay, formatInstant, formatInstantDay } from '#shared/dates.ts';
import {
  type Action,
  actionStateLabels,
  describeSection,
  type Investigation,
  type InvestigationNote,
  investigationStateLabels,
  levelLabels,
  listPhotos,
  nameAbout,
  nameCause,
  noteKindLabels,
  type SectionName,
  sectionLabels,
  sectionNames,
  sectionTitles,
} from '#shared/investigations.ts';
import { recordKinds } from '#shared/record-kinds.ts';
import type { NameFinder } from '../names/user-names.ts';
import { createPhotoGrid, type PdfDocument, type PdfPart } from '../pdf/document.ts';

type Row = Extract<PdfPart, { kind: 'fields' }>['rows'][number];

const part = (title: string, ...parts: PdfPart[]): PdfPart[] => [{ kind: 'heading', text: title }, ...parts];
const list = (title: string, rows: Row[]): PdfPart[] => (rows.length > 0 ? part(title, { kind: 'fields', rows }) : []);

/** Returns the document and the uploads it shows. */
export function createInvestigationPdf(
  investigation: Investigation,
  madeAt: Date,
  getName: NameFinder,
): { document: PdfDocument; images: string[] } {
  const { number, park, records, notes, sections } = investigation;
  const { facts, causes } = sections;
  const [text, textLeft] = cut(facts.content.text, 700);
  const [learnt, learntLeft] = cut(facts.content.learnt, 450);
  const [why, whyLeft] = takeFirst(describeSection('causes', causes.content), 600);
  const [actions, actionsLeft] = takeFirst(
    investigation.actions.map((action, index) => printAction(action, index, investigation, getName)),
    900,
  );
  // What the summary says already is left out.
  const left: { [Name in SectionName]?: Row[] } = {
    depth: describeSection('depth', sections.depth.content).filter(({ label }) => label !== sectionLabels.level),
    facts: describeSection('facts', { ...facts.content, text: textLeft, learnt: learntLeft }).filter(
      ({ value }) => value !== '',
    ),
    causes: whyLeft,
  };
  const document: PdfDocument = {
    title: 'Investigation',
    number,
    subtitle: park,
    madeAt,
    parts: [
      { kind: 'fields', columns: 2, rows: printState(investigation, getName) },
      ...part(sectionLabels.facts, { kind: 'text', text }),
      ...part(sectionLabels.learnt, { kind: 'text', text: learnt }),
      ...part(sectionTitles.causes, why.length > 0 ? { kind: 'fields', rows: why } : { kind: 'text', text: '' }),
      ...part('Actions', actions.length > 0 ? { kind: 'fields', rows: actions } : { kind: 'text', text: '' }),
      ...sectionNames.flatMap((name) => printSection(name, investigation, left[name])),
      ...list('Actions, continued', actionsLeft),
      ...list(
        'Decisions and corrections',
        notes.map((note) => ({
          label: noteKindLabels[note.kind],
          value: describeNote(note, investigation, getName),
        })),
      ),
      ...list(
        'Covers',
        records.map(({ thing, label, day, ...record }) => ({
          label: recordKinds[thing].coveredAs,
          value: [label || 'Not shown', record.park !== park && record.park, day && formatDay(day)]
            .filter(Boolean)
            .join(', '),
        })),
      ),
    ],
  };
  const images = sectionNames.flatMap((name) => listPhotos(sections[name].content).map(({ path }) => path));
  return { document, images };
}

function printSection(
  name: SectionName,
  { number, sections }: Investigation,
  rows: Row[] = describeSection(name, sections[name].content),
): PdfPart[] {
  const photos = listPhotos(sections[name].content);
  if (rows.length === 0 && photos.length === 0) return [];
  return part(
    name === 'facts' || name === 'causes' ? `${sectionTitles[name]}, continued` : sectionTitles[name],
    ...(rows.length > 0 ? [{ kind: 'fields' as const, rows }] : []),
    ...(photos.length > 0 ? [createPhotoGrid(photos, `${sectionTitles[name]}, ${number}`)] : []),
  );
}

function printState(investigation: Investigation, getName: NameFinder): Row[] {
  const { state, level, finish_by, closed_on, created_at, created_by } = investigation;
  return [
    { label: 'State', value: investigationStateLabels[state], mark: state === 'closed' ? 'done' : 'waiting' },
    { label: sectionLabels.level, value: level ? levelLabels[level] : 'Not chosen yet' },
    { label: 'Started', value: `${formatInstantDay(created_at)} by ${getName(created_by)}` },
    closed_on
      ? { label: 'Closed', value: formatDay(closed_on) }
      : { label: 'Finish by', value: finish_by ? formatDay(finish_by) : '' },
  ];
}

function printAction(action: Action, index: number, investigation: Investigation, getName: NameFinder): Row {
  const { title, park, assignee, due, state } = action;
  return {
    label: `${nameAction(index)} (${nameCause(action.cause, investigation.sections.causes.content.list)})`,
    value: [
      title || 'An audit',
      park !== investigation.park && park,
      assignee && `assigned to ${getName(assignee)}`,
      due && `due ${formatDay(due)}`,
      actionStateLabels[state].toLowerCase(),
    ]
      .filter(Boolean)
      .join(', '),
    mark: state === 'works' || state === 'waived' ? 'done' : 'waiting',
  };
}

const nameAction = (index: number) => `Action ${index + 1}`;

/** The letters that take as much room as a text; a new line takes the room of a line. */
const measure = (text: string) => [...text].length + 90 * (text.split('\n').length - 1);

/** The beginning of a text, and what is left of it, which is empty if the text is short. */
function cut(text: string, most: number): [beginning: string, left: string] {
  let size = 0;
  // A word without an end is cut too.
  const words = text.trim().match(/\s*\S{1,40}/gu) ?? [];
  const end = words.findIndex((word) => {
    size += measure(word);
    return size > most;
  });
  if (end === -1) return [text, ''];
  return [`${words.slice(0, end).join('')}…`, `…${words.slice(end).join('').trimStart()}`];
}

/** The first rows, and those that are left. If the first is long already, it is cut. */
function takeFirst(rows: Row[], most: number): [first: Row[], left: Row[]] {
  let size = 0;
  const end = rows.findIndex(({ value }) => {
    size += measure(value) + 60;
    return size > most;
  });
  const [row] = rows;
  if (end !== 0 || !row) return end === -1 ? [rows, []] : [rows.slice(0, end), rows.slice(end)];
  const [beginning, left] = cut(row.value, most);
  return [[{ ...row, value: beginning }], [...(left ? [{ ...row, value: left }] : []), ...rows.slice(1)]];
}

function describeNote(note: InvestigationNote, investigation: Investigation, getName: NameFinder): string {
  const { kind, about, text, created_at, created_by } = note;
  const action = investigation.actions.findIndex(({ id }) => id === about);
  const subject =
    kind === 'waived' ? action !== -1 && nameAction(action) : kind === 'noAction' && nameAbout(note, investigation);
  return [
    subject && `${subject}.`,
    // What was released repeats this document and has a PDF of its own.
    kind !== 'released' && text,
    `(${getName(created_by)}, ${formatInstant(created_at)})`,
  ]
    .filter(Boolean)
    .join(' ');
}
