// The columns of each list that can be exported, with their headings.
import { nameParks } from '#shared/access.ts';
import type { Activity } from '#shared/activity.ts';
import { type AuditTextName, auditTexts, multiLineAuditTexts, singleLineAuditTexts } from '#shared/audit-fields.ts';
import { outcomeLabels } from '#shared/audits.ts';
import { type Checklist, placeNotKnown, type Section, type Submission } from '#shared/checklists.ts';
import { canFail, isFailing, parseNumber } from '#shared/failing-answers.ts';
import { investigationStateLabels, type ListedInvestigation, levelLabels } from '#shared/investigations.ts';
import { hurtTexts } from '#shared/places/guest-texts.ts';
import type { Message } from '#shared/places/messages.ts';
import type { Place } from '#shared/places/places.ts';
import { orderReportFields, reportFields } from '#shared/reports/report-fields.ts';
import { getSigner, type Report } from '#shared/reports/reports.ts';
import type { Check } from '#shared/schedules/schedules.ts';
import { isRecorded, isShown } from '#shared/shown-questions.ts';
import { describeSecondFactor, type User } from '#shared/users.ts';
import type { FoundAudit } from '../audits/store.ts';
import type { NameFinder } from '../names/user-names.ts';
import type { FoundReading } from '../overview/readings.ts';
import type { Cell, Column } from './table.ts';

/** `width` is in characters. `cell` computes the content of the column from a row. */
const createColumn = <Row>(heading: string, width: number, cell: (row: Row) => Cell): Column<Row> => ({
  heading,
  width,
  cell,
});

const toInstant = (at: string | null) => (at ? { instant: at } : null);

/** A row with the name of its place, which `withPlaces` adds. */
type WithPlace<Row> = Row & { placeName?: string };
const placeColumn = createColumn<{ placeName?: string }>('Place', 24, ({ placeName }) => placeName ?? null);

const exportOrder = orderReportFields(
  ...(['selectedPlace', 'date', 'time', 'type', 'location', 'name', 'age'] as const),
  ...(['employmentStatus', 'contactNumber', 'emergencyService', 'details', 'reporter'] as const),
);

export const reportColumns: Column<WithPlace<Report>>[] = [
  createColumn('Number', 16, ({ number }) => number),
  createColumn('Kind', 10, ({ reportType }) => (reportType === 'accident' ? 'Accident' : 'Incident')),
  ...exportOrder.map((name) => {
    const { kind, label, width } = reportFields[name];
    return createColumn<Report>(label, width, (report) =>
      kind === 'date' ? { day: String(report[name]) } : report[name],
    );
  }),
  createColumn('Signed for the affected party', 30, (report) => getSigner(report).signedBy ?? ''),
  createColumn('Photos', 8, ({ mediaFiles }) => mediaFiles.length),
  createColumn('Submitted', 18, ({ created_at }) => ({ instant: created_at })),
  createColumn('Submitted by', 18, ({ created_by }) => created_by),
  placeColumn,
];

const submissionColumns: Column<WithPlace<Submission>>[] = [
  createColumn('Number', 16, ({ number }) => number),
  createColumn('Checklist', 30, ({ checklist_title }) => checklist_title),
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Submitted', 18, ({ submitted_at }) => ({ instant: submitted_at })),
  createColumn('Submitted by', 18, ({ submitted_by }) => submitted_by),
  createColumn('Place', 24, ({ place_not_known, placeName }) =>
    place_not_known ? placeNotKnown : (placeName ?? null),
  ),
];

/** Returns an answer as a cell. Signatures are images, so their cell always says `(signature)`; photos are counted. */
function toCell({ sections, data, notes }: Submission, index: number): Cell {
  const section = sections[index];
  const answer = data[index];
  if (!isShown(sections, data, index)) return null;
  if (section?.type === 'signature') return '(signature)';
  if (section?.type === 'photo') return notes?.[index]?.media_files.length ?? 0;
  if (section?.type === 'checkbox' && isFailing(section, answer)) return false;
  if (answer === undefined) return null;
  if (typeof answer !== 'string') return answer;
  if (section?.type === 'date') return { day: answer };
  const number = section?.number ? parseNumber(answer) : undefined;
  // Longer numbers would lose digits, so they stay as typed.
  return number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : answer;
}

/** Whether an answer was failing when it was submitted; null if it cannot fail or there is none. */
function isMarkedFailing({ sections, data, failures }: Submission, index: number): boolean | null {
  const section = sections[index];
  if (failures?.[index]) return true;
  return section && canFail(section) && data[index] !== undefined ? false : null;
}

const getNote = ({ failures }: Submission, index: number) => failures?.[index]?.note ?? '';
/** The note of an answer that does not fail. */
const getOtherNote = ({ notes }: Submission, index: number) => notes?.[index]?.note ?? '';

/** A section by its title, with a number if the checklist has several with that title. */
type SectionKey = { title: string; occurrence: number; canFail: boolean; takesNote: boolean };

/** The sections of a version of a checklist, and which answers take notes. */
type Version = Pick<Checklist, 'sections' | 'notes'>;

/**
 * Returns the sections of all versions, each once: those of the first version in order, then those
 * that only later versions had.
 */
function mergeSections(versions: Version[]): SectionKey[] {
  const keys = new Map<string, SectionKey>();
  for (const key of versions.flatMap(getSectionKeys)) {
    const name = `${key.occurrence} ${key.title}`;
    const { canFail = false, takesNote = false } = keys.get(name) ?? {};
    keys.set(name, { ...key, canFail: key.canFail || canFail, takesNote: key.takesNote || takesNote });
  }
  return [...keys.values()];
}

function getSectionKeys({ sections, notes }: Version): SectionKey[] {
  const counts = new Map<string, number>();
  return sections.flatMap((section) => {
    const { title, type } = section;
    const occurrence = counts.get(title) ?? 0;
    counts.set(title, occurrence + 1);
    // A text to read has no answer.
    if (type === 'info') return [];
    return { title, occurrence, canFail: canFail(section), takesNote: notes === 'any' || type === 'photo' };
  });
}

/** Returns the index of the section with this title that has so many of the same title above it; -1 if there is none. */
const findSectionIndex = (sections: Section[], { title, occurrence }: { title: string; occurrence: number }) =>
  [...sections.keys()].filter((index) => sections[index]?.title === title)[occurrence] ?? -1;

/**
 * Columns for the submissions of one checklist: each submission is a row, with a column for each
 * section of any version.
 */
export const answerColumns = (versions: Version[]): Column<WithPlace<Submission>>[] => [
  ...submissionColumns,
  createColumn<Submission>('Failing answers', 12, ({ failing = 0 }) => failing),
  ...mergeSections(versions).flatMap(({ title, occurrence, canFail, takesNote }) => {
    const createAnswerColumn = (heading: string, width: number, getCell: (row: Submission, index: number) => Cell) =>
      createColumn<Submission>(heading, width, (row) => {
        const index = findSectionIndex(row.sections, { title, occurrence });
        return index === -1 ? null : getCell(row, index);
      });
    return [
      createAnswerColumn(title, 24, toCell),
      ...(canFail
        ? [
            createAnswerColumn(`${title}: failing`, 12, isMarkedFailing),
            createAnswerColumn(`${title}: what is wrong`, 40, getNote),
          ]
        : []),
      ...(takesNote ? [createAnswerColumn(`${title}: note`, 40, getOtherNote)] : []),
    ];
  }),
];

type AnswerRow = { submission: WithPlace<Submission>; index: number };

/** Columns for the submissions of several checklists: each answer is a row. The last is there if some answer has a note. */
export const answerRowColumns = (haveNotes: boolean): Column<AnswerRow>[] => [
  ...submissionColumns.map((column) => ({ ...column, cell: ({ submission }: AnswerRow) => column.cell(submission) })),
  createColumn('Section', 40, ({ submission, index }) => submission.sections[index]?.title ?? ''),
  createColumn('Answer', 40, ({ submission, index }) => toCell(submission, index)),
  createColumn('Failing', 10, ({ submission, index }) => isMarkedFailing(submission, index)),
  createColumn('What is wrong', 40, ({ submission, index }) => getNote(submission, index)),
  ...(haveNotes
    ? [createColumn<AnswerRow>('Note', 40, ({ submission, index }) => getOtherNote(submission, index))]
    : []),
];

export const toAnswerRows = (submissions: WithPlace<Submission>[]): AnswerRow[] =>
  submissions.flatMap((submission) =>
    [...submission.sections.keys()]
      .filter((index) => isRecorded(submission.sections, submission.data, index))
      .map((index) => ({ submission, index })),
  );

const createTextColumn = (name: AuditTextName) =>
  createColumn<FoundAudit>(auditTexts[name].label, auditTexts[name].width, (audit) => audit[name]);

export const auditColumns: Column<WithPlace<FoundAudit>>[] = [
  createColumn('Park', 18, ({ folder }) => folder.park),
  createColumn('Folder', 24, ({ folder }) => folder.name),
  createColumn('Title', 40, ({ title }) => title),
  ...singleLineAuditTexts.map(createTextColumn),
  createColumn('Date', 12, ({ date }) => (date ? { day: date } : null)),
  createColumn('Time', 8, ({ time }) => time),
  createColumn('Urgent', 8, ({ is_urgent }) => is_urgent),
  createColumn('Status', 12, ({ completed }) => (completed ? 'Completed' : 'Pending')),
  createColumn('Completed by', 18, ({ completed_by }) => completed_by),
  createColumn('Completed at', 18, ({ completed_at }) => toInstant(completed_at)),
  createColumn('Verify by', 12, ({ verification }) => (verification?.by ? { day: verification.by } : null)),
  createColumn('Verified', 16, ({ verification }) =>
    verification?.outcome ? outcomeLabels[verification.outcome] : null,
  ),
  ...multiLineAuditTexts.map(createTextColumn),
  createColumn('Attachments', 12, ({ media_files }) => media_files.length),
  createColumn('Created', 18, ({ created_at }) => ({ instant: created_at })),
  placeColumn,
];

const stateNames: Record<Check['state'], string> = {
  upcoming: 'Not due yet',
  due: 'Due',
  done: 'Done on time',
  doneWithFailures: 'Done with failures',
  late: 'Late',
  missed: 'Missed',
};

export const checkColumns: Column<Check>[] = [
  createColumn('Day', 12, ({ day }) => ({ day })),
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Checklist', 30, ({ checklist_title }) => checklist_title),
  createColumn('Before opening', 18, ({ gate }) => gate),
  createColumn('Place', 24, ({ place }) => place),
  createColumn('Due from', 18, ({ opens_at }) => ({ instant: opens_at })),
  createColumn('Due until', 18, ({ closes_at }) => ({ instant: closes_at })),
  createColumn('State', 18, ({ state }) => stateNames[state]),
  createColumn('Filled in', 18, ({ filled_in_at }) => toInstant(filled_in_at)),
  createColumn('Filled in by', 18, ({ filled_in_by }) => filled_in_by),
  createColumn('Time from the device', 12, ({ is_time_from_device }) => is_time_from_device),
  createColumn('Failing answers', 12, ({ failures }) => failures),
  createColumn('Reason', 40, ({ reason }) => reason),
  createColumn('Reason by', 18, ({ reason_by }) => reason_by),
];

export const placeColumns: Column<Place>[] = [
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Name', 40, ({ name }) => name),
  createColumn('Retired', 10, ({ isRetired }) => isRetired),
];

export const readingColumns: Column<FoundReading>[] = [
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Place', 24, ({ placeName }) => placeName),
  createColumn('Checklist', 30, ({ checklist }) => checklist),
  createColumn('Question', 40, ({ question }) => question),
  createColumn('Filled in', 18, ({ at }) => ({ instant: at })),
  createColumn('Reading', 12, ({ value }) => value),
  createColumn('Unit', 8, ({ unit }) => unit),
  createColumn('Lowest allowed', 12, ({ min }) => min),
  createColumn('Highest allowed', 12, ({ max }) => max),
  createColumn('Failing', 10, ({ isFailing }) => isFailing),
  createColumn('Number', 16, ({ number }) => number),
];

export const investigationColumns: Column<ListedInvestigation>[] = [
  createColumn('Number', 16, ({ number }) => number),
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Covers', 30, ({ records }) => records.map(({ label }) => label || 'Not shown').join(', ')),
  createColumn('Started', 18, ({ created_at }) => ({ instant: created_at })),
  createColumn('Started by', 18, ({ created_by }) => created_by),
  createColumn('Level', 12, ({ level }) => level && levelLabels[level]),
  createColumn('Finish by', 12, ({ finish_by }) => (finish_by ? { day: finish_by } : null)),
  createColumn('State', 20, ({ state }) => investigationStateLabels[state]),
  createColumn('Closed', 12, ({ closed_on }) => (closed_on ? { day: closed_on } : null)),
  createColumn('Actions left', 12, ({ actions_left }) => actions_left),
];

/** Columns for messages of guests, without their names and contact details, which are erased soon. */
export const messageColumns: Column<Message>[] = [
  createColumn('Received', 18, ({ created_at }) => ({ instant: created_at })),
  createColumn('Park', 18, ({ park }) => park),
  createColumn('Place', 26, ({ place }) => place.name),
  createColumn('Kind', 20, ({ kind }) => kind),
  createColumn('Was someone hurt?', 18, ({ hurt }) => hurt && hurtTexts[hurt].en),
  createColumn('Text', 60, ({ words }) => words),
  createColumn('Photos', 10, ({ photos }) => photos.length),
  createColumn('Read', 18, ({ read_at }) => toInstant(read_at)),
  createColumn('Read by', 18, ({ read_by }) => read_by),
  createColumn('Closed', 18, ({ isOpen, closed_at }) => toInstant(isOpen ? null : closed_at)),
  createColumn('Closed by', 18, ({ isOpen, closed_by }) => (isOpen ? '' : closed_by)),
  createColumn('Reason', 40, ({ reason }) => reason),
  createColumn('Sentence for the sender', 40, ({ answer }) => answer),
  createColumn('Audit', 30, ({ audit }) => audit?.title ?? ''),
  createColumn('Report', 16, ({ report }) => report?.number ?? ''),
];

/** Columns for users. Only Admins see email addresses and second factors. */
export const userColumns = (isForAdmin: boolean): Column<User>[] => [
  createColumn('Username', 24, ({ username }) => username),
  createColumn('Full name', 26, ({ full_name }) => full_name),
  ...(isForAdmin ? [createColumn<User>('Email', 30, ({ email }) => email ?? '')] : []),
  createColumn('Role', 26, ({ role }) => role),
  createColumn('Park', 18, ({ parks }) => nameParks(parks)),
  createColumn('Last sign-in', 18, ({ lastSignInAt }) => toInstant(lastSignInAt)),
  ...(isForAdmin ? [createColumn<User>('Second factor', 24, describeSecondFactor)] : []),
];

/**
 * Columns for the activity log. `getName` adds a column of full names beside the recorded
 * usernames.
 */
export const activityColumns = (getName?: NameFinder): Column<Activity>[] => [
  createColumn('When', 18, ({ at }) => ({ instant: at })),
  ...(getName ? [createColumn<Activity>('Who', 26, ({ actor }) => getName(actor))] : []),
  createColumn(getName ? 'Username' : 'Who', 20, ({ actor }) => actor),
  createColumn('Action', 24, ({ action }) => action),
  createColumn('Type', 14, ({ thing }) => thing),
  createColumn('What', 30, ({ label }) => label),
  createColumn('Changes', 60, ({ changes }) => (changes ? JSON.stringify(changes) : '')),
];
