// Investigations: why something happened, and what is done so that it does not happen again.
import * as z from 'zod/mini';
import { addDays } from './calendar.ts';
import { textLimits } from './choices.ts';
import { dateSchema, nullableSchema } from './date-schemas.ts';
import { formatDay } from './dates.ts';
import { Decisions } from './people/identifier-choices.ts';
import { type KindWith, listKindsWith } from './record-kinds.ts';
import { lineSchema, linesSchema } from './text.ts';
import { MediaFiles, StoredMediaFile } from './uploads.ts';

const severityLabels = { minor: 'Minor', serious: 'Serious', major: 'Major', fatal: 'Fatal' };
const likelihoodLabels = {
  rare: 'Rare',
  unlikely: 'Unlikely',
  possible: 'Possible',
  likely: 'Likely',
  certain: 'Certain',
};
export const levelLabels = { minimal: 'Minimal', low: 'Low', medium: 'Medium', high: 'High' };
export const causeKindLabels = { immediate: 'Immediate cause', underlying: 'Underlying cause', root: 'Root cause' };
/** Where HSG245 looks for causes. Keys are in lower case, because a name in a text begins with a capital. */
export const causeHeadingLabels = { place: 'Place', plant: 'Plant', people: 'People', process: 'Process' };
export const riskLabels = {
  holds: 'It still holds',
  doesNotHold: 'It does not hold',
  none: 'There is none',
};
export const depthLabels = { worst: severityLabels, likely: likelihoodLabels, level: levelLabels };

export type Level = keyof typeof levelLabels;
type Severity = keyof typeof severityLabels;
type Likelihood = keyof typeof likelihoodLabels;

const getKeys = <T extends object>(labels: T) => Object.keys(labels) as [keyof T & string, ...(keyof T & string)[]];
const choice = <T extends object>(labels: T) => z._default(z.nullable(z.enum(getKeys(labels), 'Choose one')), null);

/** The level for each likelihood and severity, the severities in the order of `severityLabels`. */
const proposedLevels: Record<Likelihood, [Level, Level, Level, Level]> = {
  rare: ['minimal', 'minimal', 'low', 'medium'],
  unlikely: ['minimal', 'low', 'low', 'medium'],
  possible: ['minimal', 'low', 'medium', 'high'],
  likely: ['low', 'medium', 'high', 'high'],
  certain: ['low', 'medium', 'high', 'high'],
};

/** How deep to investigate: a proposal after HSG245, which a reviewer may change. */
export function proposeLevel(worst: Severity | null, likely: Likelihood | null): Level | null {
  if (!worst || !likely) return null;
  return proposedLevels[likely][getKeys(severityLabels).indexOf(worst)] ?? null;
}

/** In how many days an investigation is finished. */
export const daysToFinish: Record<Level, number> = { minimal: 5, low: 10, medium: 20, high: 30 };

/** Returns the day by which an investigation of high level is first looked at: the day after it started. */
export const getFirstLookDay = (startedOn: string) => addDays(startedOn, 1);

const text = (max: number = textLimits.details) => z._default(linesSchema({ max }), '');
const line = (max: number = textLimits.line) => z._default(lineSchema({ max }), '');
const list = <T extends z.ZodMiniType>(item: T, most = 50) =>
  z._default(z.array(item).check(z.maxLength(most, `At most ${most}`)), []);

/** The fields of a statement by someone who saw or knows something. */
const statementFields = {
  person: line(textLimits.name),
  role: line(textLimits.name),
  day: z._default(nullableSchema(dateSchema()), null),
  isUnder18: z._default(z.boolean(), false),
  /** Who was with someone under 18. */
  accompaniedBy: line(textLimits.name),
  text: text(),
};
const File = z.object({ what: line(), where: line() });
const Cause = z.object({
  /** Chosen by the browser; actions name it. */
  id: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
  kind: z._default(z.enum(getKeys(causeKindLabels)), 'immediate'),
  heading: choice(causeHeadingLabels),
  text: text(textLimits.note),
});
export type Cause = z.output<typeof Cause>;
/** Stands for the risk assessment where an action names a cause. */
export const riskCause = 0;

const createSections = <Photos extends z.ZodMiniType>(photos: Photos) => ({
  madeSafe: z.object({ text: text() }),
  depth: z.object({ worst: choice(severityLabels), likely: choice(likelihoodLabels), level: choice(levelLabels) }),
  facts: z.object({ text: text(), learnt: text(), tookPart: text(textLimits.note), photos, files: list(File) }),
  statements: z.object({ list: list(z.object({ ...statementFields, photos })) }),
  causes: z.object({ list: list(Cause, 100) }),
  risk: z.object({ outcome: choice(riskLabels), text: text(textLimits.note) }),
});
const sentSections = createSections(z._default(MediaFiles, []));
/** The stored content of each section. Rows of an earlier release may lack members, which get their default. */
export const storedSections = createSections(z._default(z.array(StoredMediaFile), []));

export type SectionName = keyof typeof storedSections;
export const sectionNames = getKeys(storedSections);
type Sections<Photo> = ReturnType<typeof createSections<z.ZodMiniType<Photo[]>>>;
export type SectionContents<Photo = StoredMediaFile> = { [Name in SectionName]: z.output<Sections<Photo>[Name]> };

export const sectionTitles: Record<SectionName, string> = {
  madeSafe: 'Made Safe at Once',
  depth: 'How Deep',
  facts: 'What Happened',
  statements: 'Statements',
  causes: 'Why',
  risk: 'Risk Assessment',
};

const toChange = <Name extends SectionName>(section: Name) =>
  z.object({ section: z.literal(section), version: z.int(), content: sentSections[section] });

/** Replaces the content of one section, which has a version of its own. */
export const SectionChange = z.discriminatedUnion('section', [
  toChange('madeSafe'),
  toChange('depth'),
  toChange('facts'),
  toChange('statements'),
  toChange('causes').check(
    z.refine(({ content: { list } }) => new Set(list.map(({ id }) => id)).size === list.length, {
      path: ['content', 'list'],
      error: 'Each cause needs an id of its own',
    }),
  ),
  toChange('risk'),
]);
export type SectionChange = z.output<typeof SectionChange>;

/**
 * What is said about an investigation apart from its sections: dated, signed with a name, and
 * changed only when a name in it is erased. `about` is the audit of a waived action, or the cause
 * that needs none; `released` has the text of a copy for safety representatives.
 */
export const noteKindLabels = {
  complete: 'Findings complete',
  confirmed: 'Findings confirmed',
  waived: 'Action waived',
  noAction: 'No action',
  correction: 'Correction',
  released: 'Copy for safety representatives released',
};
export type InvestigationNoteKind = keyof typeof noteKindLabels;

export const NewInvestigationNote = z
  .object({
    kind: z.enum(getKeys(noteKindLabels)),
    about: z._default(z.string().check(z.maxLength(40)), ''),
    text: z._default(linesSchema({ max: textLimits.details }), ''),
    /** For `released`: what is done about each part of the text that could show who someone is. */
    decisions: z.optional(Decisions),
  })
  .check(
    z.refine(({ kind, text }) => kind === 'complete' || kind === 'confirmed' || text.trim() !== '', {
      path: ['text'],
      error: 'Enter the text',
    }),
  );

const InvestigationNote = z.object({
  id: z.string(),
  kind: z.enum(getKeys(noteKindLabels)),
  about: z.string(),
  text: z.string(),
  created_at: z.string(),
  created_by: z.string(),
});
export type InvestigationNote = z.output<typeof InvestigationNote>;

/** What an investigation can be about. */
export type CoveredThing = KindWith<'coveredAs'>;
export const coveredThings = listKindsWith('coveredAs');

/** The record from which it starts. */
export const NewInvestigation = z.object({
  thing: z.enum(coveredThings),
  id: z.string(),
});

/** Adds a report to an investigation, or takes one out that was added by mistake. */
export const ReportCoverage = z.object({
  number: lineSchema({ min: 1, max: textLimits.line, missing: "Enter the report's number" }),
  isCovered: z.boolean(),
});

export const actionStateLabels = {
  open: 'Not Completed',
  toVerify: 'To Verify',
  works: 'Works',
  waived: 'Waived',
  deleted: 'Deleted',
};
export type ActionState = keyof typeof actionStateLabels;

const Action = z.object({
  id: z.string(),
  /** The cause that it answers; 0 is the risk assessment, null none of them. */
  cause: z.nullable(z.number()),
  park: z.string(),
  /** Empty for users who do not see the park. */
  title: z.string(),
  assignee: z.string(),
  due: z.nullable(z.string()),
  state: z.enum(getKeys(actionStateLabels)),
  /** The audit that is open now: the action, or the follow-up of one that did not work. */
  current_id: z.string(),
  /** Whether the user may waive it: someone who did not do the work. */
  canWaive: z.boolean(),
});
export type Action = z.output<typeof Action>;

export const investigationStateLabels = {
  open: 'Open',
  findingsComplete: 'Findings Complete',
  closed: 'Closed',
};
export type InvestigationState = keyof typeof investigationStateLabels;

/** Something that needs an action: a cause, the risk assessment (0), or what was learnt (null). */
const Question = z.object({ cause: z.nullable(z.number()), isAnswered: z.boolean() });

const Record = z.object({
  thing: z.enum(coveredThings),
  id: z.string(),
  /** The number of a report, the title of others; empty if it is deleted, or of a park that is not seen. */
  label: z.string(),
  park: z.string(),
  day: z.string(),
});

const summary = {
  id: z.string(),
  number: z.string(),
  park: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  records: z.array(Record),
  level: z.nullable(z.enum(getKeys(levelLabels))),
  /** The day by which it must be finished, once it has a level. */
  finish_by: z.nullable(z.string()),
  state: z.enum(getKeys(investigationStateLabels)),
  closed_on: z.nullable(z.string()),
  /** How many actions are neither verified nor waived. */
  actions_left: z.number(),
};
export const ListedInvestigation = z.object(summary);
export type ListedInvestigation = z.output<typeof ListedInvestigation>;

const stored = <T extends z.ZodMiniType>(content: T) =>
  z.object({ id: z.string(), version: z.number(), saved_at: z.nullable(z.string()), saved_by: z.string(), content });

export const Investigation = z.object({
  ...summary,
  sections: z.object({
    madeSafe: stored(storedSections.madeSafe),
    depth: stored(storedSections.depth),
    facts: stored(storedSections.facts),
    statements: stored(storedSections.statements),
    causes: stored(storedSections.causes),
    risk: stored(storedSections.risk),
  }),
  notes: z.array(InvestigationNote),
  actions: z.array(Action),
  questions: z.array(Question),
  /** What is missing before the findings are complete. */
  missing: z.array(z.string()),
  /** Whether a second reviewer has to confirm the findings, and whether the user may. */
  needsConfirmation: z.boolean(),
  canConfirm: z.boolean(),
});
export type Investigation = z.output<typeof Investigation>;

/** Whether an open investigation is past the day by which it must be finished. */
export const isLate = (
  { state, finish_by }: Pick<ListedInvestigation, 'state' | 'finish_by'>,
  today: string,
): boolean => state === 'open' && finish_by !== null && finish_by < today;

/** Returns what must still be written before the findings are complete, in words. */
export function listMissing({ madeSafe, depth, facts, causes, risk }: SectionContents): string[] {
  const isDeep = depth.level !== 'minimal';
  return [
    ...(madeSafe.text.trim() ? [] : ['what was done at once to make it safe']),
    ...(depth.level ? [] : ['how deep the investigation is']),
    ...(facts.text.trim() ? [] : ['what happened']),
    ...(facts.learnt.trim() ? [] : ['what was learnt']),
    ...(isDeep && !causes.list.some(({ text }) => text.trim()) ? ['why it happened'] : []),
    ...(isDeep && !risk.outcome ? ['whether the risk assessment still holds'] : []),
  ];
}

/** The sections on which the state of an investigation depends. */
export const decisiveSections = ['depth', 'causes', 'risk'] as const satisfies SectionName[];
export type DecisiveContents = Pick<SectionContents, (typeof decisiveSections)[number]>;

/** Returns what needs an action: causes and a risk assessment that does not hold; at minimal level what was learnt (null). */
export function listCausesToAnswer({ depth, causes, risk }: DecisiveContents): (number | null)[] {
  if (depth.level === 'minimal') return [null];
  return [
    ...causes.list.filter(({ text }) => text.trim()).map(({ id }) => id),
    ...(risk.outcome === 'doesNotHold' || risk.outcome === 'none' ? [riskCause] : []),
  ];
}

/** `Cause 2`, `Risk assessment`, `What was learnt`: what an action or a note is about. */
export function nameCause(cause: number | null, causes: Cause[]): string {
  if (cause === riskCause) return 'Risk assessment';
  const index = causes.findIndex(({ id }) => id === cause);
  return index === -1 ? 'What was learnt' : `Cause ${index + 1}`;
}

export const toAbout = (cause: number | null): string => (cause === null ? '' : String(cause));

/** The cause that a note is about. */
export const nameAbout = ({ about }: InvestigationNote, { sections }: Pick<Investigation, 'sections'>): string =>
  nameCause(about === '' ? null : Number(about), sections.causes.content.list);

type Part<Photo> = { photos?: Photo[]; list?: Part<Photo>[] };

/** The photos of a section. */
export function listPhotos<Photo = StoredMediaFile>(content: object): Photo[] {
  const { photos = [], list = [] } = content as Part<Photo>;
  return [...photos, ...list.flatMap((item) => listPhotos<Photo>(item))];
}

/** Replaces the photos of a section. */
export function mapPhotos<Photo>(content: object, map: (photo: Photo) => object): object {
  const { photos, list } = content as Part<Photo>;
  const items = list && { list: list.map((item) => mapPhotos(item, map)) };
  return { ...content, ...(photos && { photos: photos.map(map) }), ...items };
}

type Row = { label: string; value: string };

/** The content of a section as labels and values, for reading and printing; without its photos. */
export function describeSection<Name extends SectionName>(
  section: Name,
  content: SectionContents<unknown>[Name],
): Row[] {
  return (describers[section] as (content: SectionContents<unknown>[Name]) => Row[])(content);
}

const getLabel = (labels: Record<string, string>, value: string | null) => (value ? (labels[value] ?? value) : '');
const optionalRow = (label: string, value: string) => (value.trim() ? [{ label, value }] : []);

const describers: { [Name in SectionName]: (content: SectionContents<unknown>[Name]) => Row[] } = {
  madeSafe: ({ text }) => [{ label: 'What was done', value: text }],
  depth: ({ worst, likely, level }) => [
    { label: sectionLabels.worst, value: getLabel(severityLabels, worst) },
    { label: sectionLabels.likely, value: getLabel(likelihoodLabels, likely) },
    { label: sectionLabels.level, value: getLabel(levelLabels, level) },
  ],
  facts: ({ text, learnt, tookPart, files }) => [
    { label: sectionLabels.facts, value: text },
    { label: sectionLabels.learnt, value: learnt },
    ...optionalRow(sectionLabels.tookPart, tookPart),
    ...files.map(({ what, where }) => ({ label: 'Kept elsewhere', value: [what, where].filter(Boolean).join(': ') })),
  ],
  statements: ({ list }) =>
    list.map(({ person, role, day, isUnder18, accompaniedBy, text }, index) => ({
      label: `Statement ${index + 1}`,
      value: [
        [person, role, day && formatDay(day)].filter(Boolean).join(', '),
        isUnder18 && `Under 18, with ${accompaniedBy || 'nobody named'}`,
        text,
      ]
        .filter(Boolean)
        .join('\n'),
    })),
  causes: ({ list }) =>
    list.map(({ kind, heading, text }, index) => ({
      label: `Cause ${index + 1}: ${causeKindLabels[kind].toLowerCase()}`,
      value: [text, heading && `(${causeHeadingLabels[heading]})`].filter(Boolean).join(' '),
    })),
  risk: ({ outcome, text }) => [
    { label: sectionLabels.outcome, value: getLabel(riskLabels, outcome) },
    ...optionalRow(sectionLabels.risk, text),
  ],
};

/** Labels of fields, on the screen and on paper. */
export const sectionLabels = {
  worst: 'What could reasonably have happened',
  likely: 'How likely it is again',
  level: 'Level',
  facts: 'What happened',
  learnt: 'What was learnt',
  tookPart: 'Who took part',
  outcome: 'Does the risk assessment still hold?',
  risk: 'What was looked at',
};

/** Returns the first draft of the copy for safety representatives: facts, causes, corrections and actions. */
export function createCopyText({ sections: { facts, causes }, notes, actions }: Investigation): string {
  const corrections = notes.filter(({ kind }) => kind === 'correction').map(({ text }) => text);
  const number = (lines: string[]) => lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
  return [
    `${sectionLabels.facts}\n${facts.content.text}`,
    `${sectionLabels.learnt}\n${facts.content.learnt}`,
    `${sectionTitles.causes}\n${number(causes.content.list.map(({ text }) => text))}`,
    ...(corrections.length > 0 ? [`Corrections\n${number(corrections)}`] : []),
    `Actions\n${number(
      actions.map(
        ({ title, park, state }) => `${title || `An audit at ${park}`} (${actionStateLabels[state].toLowerCase()})`,
      ),
    )}`,
  ].join('\n\n');
}
