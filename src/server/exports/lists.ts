// The columns of each list that can be exported, with their headings.
import type { Activity } from '#shared/activity.ts';
import type { Section, Submission } from '#shared/checklists.ts';
import { allParks } from '#shared/choices.ts';
import type { Report } from '#shared/reports.ts';
import type { Check } from '#shared/schedules/schedules.ts';
import { formatSignedBy } from '#shared/signed-by.ts';
import type { User } from '#shared/users.ts';
import type { FoundAudit } from '../audits/store.ts';
import type { NameFinder } from '../users/names.ts';
import type { Cell, Column } from './table.ts';

/** A column of text that is a property of the row. */
const text = <Row>(heading: string, width: number, cell: (row: Row) => Cell): Column<Row> => ({ heading, width, cell });

export const reportColumns: Column<Report>[] = [
  text('Number', 16, ({ number }) => number),
  text('Kind', 10, ({ reportType }) => (reportType === 'accident' ? 'Accident' : 'Incident')),
  text('Park', 18, ({ selectedPlace }) => selectedPlace),
  text('Date', 12, ({ date }) => ({ day: date })),
  text('Time', 8, ({ time }) => time),
  text('Type', 20, ({ type }) => type),
  text('Location or plot', 20, ({ location }) => location),
  text('Involved or injured person', 26, ({ name }) => name),
  text('Age', 6, ({ age }) => age),
  text('Employment status', 18, ({ employmentStatus }) => employmentStatus),
  text('Contact number', 16, ({ contactNumber }) => contactNumber),
  text('Emergency services', 18, ({ emergencyService }) => emergencyService),
  text('Details', 60, ({ details }) => details),
  text('Person completing the form', 26, ({ reporter }) => reporter),
  text('Signed for the affected party', 30, ({ affectedUserSignedBy, name }) =>
    affectedUserSignedBy ? formatSignedBy(affectedUserSignedBy, name) : '',
  ),
  text('Photos', 8, ({ mediaFiles }) => mediaFiles.length),
  text('Submitted', 18, ({ created_at }) => ({ instant: created_at })),
  text('Submitted by', 18, ({ created_by }) => created_by),
];

const submissionColumns: Column<Submission>[] = [
  text('Number', 16, ({ number }) => number),
  text('Checklist', 30, ({ checklist_title }) => checklist_title),
  text('Park', 18, ({ park }) => park),
  text('Submitted', 18, ({ submitted_at }) => ({ instant: submitted_at })),
  text('Submitted by', 18, ({ submitted_by }) => submitted_by),
];

/** An answer as a cell. Signatures are images, so their cell only says whether there is one. */
function toCell(section: Section | undefined, answer: Submission['data'][string] | undefined): Cell {
  if (section?.type === 'signature') return '(signature)';
  if (answer === undefined) return null;
  return section?.type === 'date' && typeof answer === 'string' ? { day: answer } : answer;
}

/** A section by its title, with a number if the checklist has several with that title. */
type SectionKey = { title: string; occurrence: number };

/**
 * The sections of all versions, each once: those of the first version in order, then those that
 * only later versions had.
 */
function mergeSections(versions: Section[][]): SectionKey[] {
  const keys = new Map<string, SectionKey>();
  for (const sections of versions)
    for (const key of getSectionKeys(sections))
      keys.set(`${key.occurrence} ${key.title}`, keys.get(`${key.occurrence} ${key.title}`) ?? key);
  return [...keys.values()];
}

function getSectionKeys(sections: Section[]): SectionKey[] {
  const counts = new Map<string, number>();
  return sections.map(({ title }) => {
    const occurrence = counts.get(title) ?? 0;
    counts.set(title, occurrence + 1);
    return { title, occurrence };
  });
}

/** Submissions of one checklist: one row each, and a column for each section of any version. */
export const answerColumns = (versions: Section[][]): Column<Submission>[] => [
  ...submissionColumns,
  ...mergeSections(versions).map(({ title, occurrence }) =>
    text<Submission>(title, 24, ({ sections, data }) => {
      const index = getSectionKeys(sections).findIndex((key) => key.title === title && key.occurrence === occurrence);
      return index === -1 ? null : toCell(sections[index], data[index]);
    }),
  ),
];

type AnswerRow = { submission: Submission; index: number };

/** Submissions of several checklists: a row for each section. */
export const answerRowColumns: Column<AnswerRow>[] = [
  ...submissionColumns.map((column) => ({ ...column, cell: ({ submission }: AnswerRow) => column.cell(submission) })),
  text('Section', 40, ({ submission, index }) => submission.sections[index]?.title ?? ''),
  text('Answer', 40, ({ submission, index }) => toCell(submission.sections[index], submission.data[index])),
  text('What is wrong', 40, ({ submission, index }) => submission.failures?.[index]?.note ?? ''),
];

export const toAnswerRows = (submissions: Submission[]): AnswerRow[] =>
  submissions.flatMap((submission) => submission.sections.map((_, index) => ({ submission, index })));

export const auditColumns: Column<FoundAudit>[] = [
  text('Park', 18, ({ folder }) => folder.park),
  text('Folder', 24, ({ folder }) => folder.name),
  text('Title', 40, ({ title }) => title),
  text('Location', 20, ({ location }) => location),
  text('Assignee', 20, ({ assignee }) => assignee),
  text('Date', 12, ({ date }) => (date ? { day: date } : null)),
  text('Time', 8, ({ time }) => time),
  text('Urgent', 8, ({ is_urgent }) => is_urgent),
  text('Status', 12, ({ completed }) => (completed ? 'Completed' : 'Pending')),
  text('Completed by', 18, ({ completed_by }) => completed_by),
  text('Completed at', 18, ({ completed_at }) => (completed_at ? { instant: completed_at } : null)),
  text('Description', 60, ({ description }) => description),
  text('Attachments', 12, ({ media_files }) => media_files.length),
  text('Created', 18, ({ created_at }) => ({ instant: created_at })),
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
  text('Day', 12, ({ day }) => ({ day })),
  text('Park', 18, ({ park }) => park),
  text('Checklist', 30, ({ checklist_title }) => checklist_title),
  text('Before opening', 18, ({ gate }) => gate),
  text('Due from', 18, ({ opens_at }) => ({ instant: opens_at })),
  text('Due until', 18, ({ closes_at }) => ({ instant: closes_at })),
  text('State', 18, ({ state }) => stateNames[state]),
  text('Filled in', 18, ({ filled_in_at }) => (filled_in_at ? { instant: filled_in_at } : null)),
  text('Filled in by', 18, ({ filled_in_by }) => filled_in_by),
  text('Time from the device', 12, ({ is_time_from_device }) => is_time_from_device),
  text('Failing answers', 12, ({ failures }) => failures),
  text('Reason', 40, ({ reason }) => reason),
  text('Reason by', 18, ({ reason_by }) => reason_by),
];

/** Email addresses are for Admins only. */
export const userColumns = (withEmail: boolean): Column<User>[] => [
  text('Username', 24, ({ username }) => username),
  text('Full name', 26, ({ full_name }) => full_name),
  ...(withEmail ? [text<User>('Email', 30, ({ email }) => email ?? '')] : []),
  text('Role', 26, ({ role }) => role),
  text('Park', 18, ({ park }) => park || allParks),
  text('Last sign-in', 18, ({ lastSignInAt }) => (lastSignInAt ? { instant: lastSignInAt } : null)),
];

/** With `getName` there are full names, beside the usernames as they were recorded. */
export const activityColumns = (getName?: NameFinder): Column<Activity>[] => [
  text('When', 18, ({ at }) => ({ instant: at })),
  ...(getName ? [text<Activity>('Who', 26, ({ actor }) => getName(actor))] : []),
  text(getName ? 'Username' : 'Who', 20, ({ actor }) => actor),
  text('Action', 24, ({ action }) => action),
  text('Type', 14, ({ thing }) => thing),
  text('What', 30, ({ label }) => label),
  text('Changes', 60, ({ changes }) => (changes ? JSON.stringify(changes) : '')),
];
