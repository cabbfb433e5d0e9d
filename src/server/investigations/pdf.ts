// An investigation as a printed record: one page of summary, then the rest.
import { formatDay, formatInstant, formatInstantDay } from '#shared/dates.ts';
import {
  type Action,
  actionStateLabels,
  causeKindLabels,
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
import type { NameFinder } from '../db/user-names.ts';
import { createPhotoGrid, type PdfDocument, type PdfPart } from '../pdf/document.ts';

const part = (title: string, ...parts: PdfPart[]): PdfPart[] => [{ kind: 'heading', text: title }, ...parts];

/** Returns the document and the uploads it shows. */
export function createInvestigationPdf(
  investigation: Investigation,
  madeAt: Date,
  getName: NameFinder,
): { document: PdfDocument; images: string[] } {
  const { number, park, records, notes, actions, sections } = investigation;
  const causes = sections.causes.content.list;
  const document: PdfDocument = {
    title: 'Investigation',
    number,
    subtitle: park,
    madeAt,
    parts: [
      ...createSummary(investigation, getName),
      { kind: 'pageBreak' },
      ...sectionNames.flatMap((name) => printSection(name, investigation)),
      ...part('Actions', {
        kind: 'fields',
        rows: actions.map((action) => ({
          label: nameCause(action.cause, causes),
          value: [
            describeAction(action),
            action.assignee && `assigned to ${getName(action.assignee)}`,
            action.due && `due ${formatDay(action.due)}`,
            actionStateLabels[action.state].toLowerCase(),
          ]
            .filter(Boolean)
            .join(', '),
        })),
      }),
      ...part('Decisions and corrections', {
        kind: 'fields',
        rows: notes.map((note) => ({
          label: noteKindLabels[note.kind],
          value: describeNote(note, investigation, getName),
        })),
      }),
      ...part('Covers', {
        kind: 'fields',
        rows: records.map(({ thing, label, park, day }) => ({
          label: recordKinds[thing].coveredAs,
          value: [label || 'Not shown', park, day && formatDay(day)].filter(Boolean).join(', '),
        })),
      }),
    ],
  };
  const images = sectionNames.flatMap((name) => listPhotos(sections[name].content).map(({ path }) => path));
  return { document, images };
}

function printSection(name: SectionName, { number, sections }: Investigation): PdfPart[] {
  const { content } = sections[name];
  const rows = describeSection(name, content);
  const paths = listPhotos(content).map(({ path }) => path);
  if (rows.length === 0 && paths.length === 0) return [];
  return part(
    sectionTitles[name],
    { kind: 'fields', rows },
    ...(paths.length > 0 ? [createPhotoGrid(paths, `${sectionTitles[name]}, ${number}`)] : []),
  );
}

/** What fits on a page: where it stands, what happened, why, and what is done about it. */
function createSummary(investigation: Investigation, getName: NameFinder): PdfPart[] {
  const { state, level, finish_by, closed_on, created_at, created_by, sections, actions } = investigation;
  const { facts, causes } = sections;
  return [
    {
      kind: 'fields',
      columns: 2,
      rows: [
        { label: 'State', value: investigationStateLabels[state], mark: state === 'closed' ? 'done' : 'waiting' },
        { label: 'Level', value: level ? levelLabels[level] : 'Not chosen yet' },
        { label: 'Started', value: `${formatInstantDay(created_at)} by ${getName(created_by)}` },
        closed_on
          ? { label: 'Closed', value: formatDay(closed_on) }
          : { label: 'Finish by', value: finish_by ? formatDay(finish_by) : '' },
      ],
    },
    ...part(sectionLabels.facts, { kind: 'text', text: shorten(facts.content.text, 550) }),
    ...part(sectionLabels.learnt, { kind: 'text', text: shorten(facts.content.learnt, 350) }),
    ...part(sectionTitles.causes, {
      kind: 'fields',
      rows: listFirst(causes.content.list, ({ kind, text }) => ({
        label: causeKindLabels[kind],
        value: shorten(text, 120),
      })),
    }),
    ...part('Actions', {
      kind: 'fields',
      rows: listFirst(actions, (action) => ({
        label: actionStateLabels[action.state],
        value: shorten(describeAction(action), 60),
        mark: action.state === 'works' || action.state === 'waived' ? ('done' as const) : ('waiting' as const),
      })),
    }),
  ];
}

/** The rows of the first items, and how many more there are. */
function listFirst<Item, Row>(items: Item[], toRow: (item: Item) => Row, most = 5) {
  const more = items.length - most;
  return [...items.slice(0, most).map(toRow), ...(more > 0 ? [{ label: '', value: `and ${more} more` }] : [])];
}

/** The beginning of a text, as one paragraph. */
function shorten(text: string, max: number): string {
  const letters = [...text.trim().replace(/\s+/g, ' ')];
  return letters.length > max ? `${letters.slice(0, max).join('').trimEnd()}…` : letters.join('');
}

const describeAction = ({ title, park }: Action) => (title ? `${title}, ${park}` : `An audit at ${park}`);

function describeNote(note: InvestigationNote, investigation: Investigation, getName: NameFinder): string {
  const { kind, about, text, created_at, created_by } = note;
  const action = investigation.actions.find(({ id }) => id === about);
  const subject =
    kind === 'waived' ? action && describeAction(action) : kind === 'noAction' && nameAbout(note, investigation);
  return [subject && `${subject}.`, text, `(${getName(created_by)}, ${formatInstant(created_at)})`]
    .filter(Boolean)
    .join(' ');
}
