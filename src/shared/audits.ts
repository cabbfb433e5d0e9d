// Audits, in folders of a park.
import * as z from 'zod/mini';
import { type AuditTextName, auditTexts, mapAuditTexts } from './audit-fields.ts';
import { limits, textLimits } from './choices.ts';
import { CapturedAt, dateSchema, nullableSchema, timeSchema } from './date-schemas.ts';
import { formatDay, formatInstantDay, getToday } from './dates.ts';
import { lessonAnswerLabels, lessonAnswers } from './lessons.ts';
import { HazardFields } from './places/hazards.ts';
import { MessageClosing } from './places/messages.ts';
import { ParkWasClosed, parkSchema } from './places/park-schemas.ts';
import { PlaceFilter, PlaceId, PlaceOfRecord } from './places/places.ts';
import { pluralise } from './pluralise.ts';
import { listKindsWith } from './record-kinds.ts';
import { CreatedReply } from './replies.ts';
import { lineSchema, linesSchema, matchesSearch } from './text.ts';
import { MediaFile, MediaFiles, StoredMediaFile, UploadPath } from './uploads.ts';

export const NewFolder = z.object({
  name: lineSchema({ min: 1, max: textLimits.name, missing: 'Give the folder a name' }),
  description: z._default(linesSchema({ max: textLimits.note }), ''),
  park: parkSchema,
});
export const FolderChange = z.extend(NewFolder, {
  thumbnail: z.optional(z.nullable(z.union([UploadPath, z.literal('')]))),
  version: z.optional(z.int()),
});

export const Folder = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  thumbnail: z.nullable(z.string()),
  park: z.string(),
  created_at: z.string(),
  version: z.number(),
  audit_count: z.number(),
  /** The number of incomplete audits whose date has passed. */
  overdue_count: z.number(),
});
export type Folder = z.output<typeof Folder>;

/** Whether every word is in the folder's name, its description or its park. */
export const matchesFolder = ({ name, description, park }: Folder, q: string): boolean =>
  matchesSearch([name, description, park], q);

const OptionalDay = nullableSchema(dateSchema());
const Time = nullableSchema(timeSchema());

const createText = ({ kind, max }: (typeof auditTexts)[AuditTextName]): z.ZodMiniType<string, string> =>
  kind === 'lines' ? linesSchema({ max }) : lineSchema({ max });
const Title = lineSchema({ min: 1, max: textLimits.line, missing: 'Title is required' });

/**
 * The types of records from which an audit can be created. Only reviewers see that the record is a
 * report, submission, investigation or message of a guest. The source of a hazard is itself, with
 * the username of its reporter as the label. The source of a lesson has no label.
 */
export const auditSources = [...listKindsWith('isSource'), 'hazard'] as const;
export type AuditSource = (typeof auditSources)[number];
/** What someone else found when they verified a completed audit: whether what was done works. */
const verificationOutcomes = ['works', 'doesNotWork'] as const;
export type VerificationOutcome = (typeof verificationOutcomes)[number];
export const outcomeLabels: Record<VerificationOutcome, string> = { works: 'Works', doesNotWork: 'Does Not Work' };
const Outcome = z.enum(verificationOutcomes, 'Choose Works or Does Not Work');

/** How many days after its completion an audit is verified, unless its creator says otherwise. */
export const defaultVerifyDays = 30;
const maxVerifyDays = 365;
const verifyDaysMessage = `Enter a number of days from 1 to ${maxVerifyDays}`;

/** The verification that an audit asks for. */
const Verification = z.object({
  days: z.number(),
  /** The username of who should do it, or '' for anyone who may. */
  verifier: z.string(),
  verifier_id: z.optional(z.string()),
  /** The last day on which to verify; null before the audit is completed and after it was verified. */
  by: z.nullable(z.string()),
  outcome: z.nullable(Outcome),
  /** The audit that was created because it does not work. */
  follow_up_id: z.optional(z.string()),
});
export type Verification = z.output<typeof Verification>;

const Source = z.object({
  thing: z.enum(auditSources),
  id: z.string(),
  /**
   * The number of a report, submission or investigation, the title of an audit, who reported the hazard, or the
   * day of a message.
   */
  label: z.string(),
  /** The index of the submission's section with the failing answer, or the cause that the action answers. */
  section: z.optional(z.nullable(z.number())),
});

/** `completed_by` and `completed_at` are accepted but set by the server. */
const newAuditFields = z.object({
  folder_id: z.optional(z.string()),
  title: z.optional(Title),
  ...mapAuditTexts((name) => z._default(createText(auditTexts[name]), '')),
  is_urgent: z._default(z.boolean(), false),
  media_files: z._default(MediaFiles, []),
  date: z._default(OptionalDay, null),
  time: z._default(Time, null),
  completed: z._default(z.boolean(), false),
  /**
   * The record that the audit follows. Only reviewers may name a report, investigation or message;
   * the server creates the audits of submissions itself. An audit closes its message and, without a
   * folder, goes into the folder for hazards. An action of an investigation must be verified.
   */
  source: z.optional(
    z.object({
      thing: z.enum(
        ['report', 'audit', 'investigation', 'message'],
        'Choose the report or audit from which this audit follows',
      ),
      id: z.string(),
      /** The cause that an action of an investigation answers. */
      cause: z.optional(z.int()),
      /** For the sender of a message. */
      answer: MessageClosing.shape.answer,
      /** Why there is no report of someone who was hurt. */
      reason: MessageClosing.shape.reason,
      /** Paths of the record's photos to copy. */
      photos: z._default(z.array(UploadPath).check(z.maxLength(limits.photos, `At most ${limits.photos} photos`)), []),
    }),
  ),
  /** Makes it a hazard; the server gives it folder, title, urgency, date and assignee. */
  hazard: z.optional(HazardFields),
  /** Asks for a verification after completion. A verifier who does not see the park is left out. */
  verification: z.optional(
    z.object({
      days: z._default(
        z.int(verifyDaysMessage).check(z.minimum(1, verifyDaysMessage), z.maximum(maxVerifyDays, verifyDaysMessage)),
        defaultVerifyDays,
      ),
      verifier: z._default(lineSchema({ max: textLimits.name }), ''),
    }),
  ),
  placeId: PlaceId,
  capturedAt: CapturedAt,
});
type NewAuditFields = z.output<typeof newAuditFields>;

/** Returns a rule that is checked even if other fields are not valid. */
const needs = (path: keyof NewAuditFields, error: string, isGiven: (audit: Partial<NewAuditFields>) => boolean) =>
  z.refine<NewAuditFields>(isGiven, { path: [path], error, when: ({ value }) => typeof value === 'object' });

export const NewAudit = newAuditFields.check(
  needs(
    'folder_id',
    'Choose a folder',
    ({ folder_id, hazard, source }) => folder_id !== undefined || hazard !== undefined || source?.thing === 'message',
  ),
  needs('title', 'Title is required', ({ title, hazard }) => title !== undefined || hazard !== undefined),
  needs('location', 'Enter where it is', ({ location, hazard }) => !hazard || Boolean(location)),
  needs(
    'description',
    'Choose what it is, describe it or add a photo',
    ({ description, media_files = [], hazard }) =>
      !hazard || hazard.kind !== undefined || Boolean(description?.trim()) || media_files.length > 0,
  ),
);
export type NewAudit = z.output<typeof NewAudit>;

const toldOptions = ['assignee', 'reviewers'] as const;
/** Who may be told of a new audit. */
export type Told = (typeof toldOptions)[number];

/** The reply also has the number of files received, and who was told of the audit. */
export const NewAuditReply = z.extend(CreatedReply, {
  photos: z.optional(z.number()),
  told: z.optional(z.array(z.enum(toldOptions))),
});

/** How many photos of what was done a completion may have. */
export const maxDonePhotos = 5;

/** Omitted fields stay as they are. With `version`, rejects a save over someone else's change. */
export const AuditChange = z.object({
  title: z.optional(Title),
  date: z.optional(OptionalDay),
  time: z.optional(Time),
  version: z.optional(z.int()),
  /** The place of a changed location. */
  placeId: PlaceId,
  capturedAt: CapturedAt,
  data: z.optional(
    z.object({
      ...mapAuditTexts((name) => z.optional(createText(auditTexts[name]))),
      is_urgent: z.optional(z.boolean()),
      media_files: z.optional(MediaFiles),
      completed: z.optional(z.boolean()),
      /** With the completion of a lesson's audit: what the park found, and a note if no added photo says it. */
      answer: z.optional(z.enum(lessonAnswers, 'Choose what you found')),
      answer_note: z.optional(linesSchema({ max: textLimits.note })),
      /** With the completion: what was done, as a note on the audit. */
      done: z.optional(
        z.object({
          text: z._default(linesSchema({ max: textLimits.note }), ''),
          media_files: z._default(
            z.array(MediaFile).check(z.maxLength(maxDonePhotos, `At most ${maxDonePhotos} photos`)),
            [],
          ),
        }),
      ),
      /** Top-level fields have priority over those in `data`. */
      date: z.optional(OptionalDay),
      time: z.optional(Time),
    }),
  ),
});
export type AuditChange = z.output<typeof AuditChange>;

/** How many audits one request may change. */
export const maxAtOnce = 200;

/** Changes several audits in the same way, or reminds their assignees. Each audit succeeds or fails alone. */
export const AuditsChange = z.object({
  audits: z
    .array(z.object({ id: z.string(), version: z.int() }))
    .check(z.minLength(1, 'Choose an audit'), z.maxLength(maxAtOnce, `Choose at most ${maxAtOnce} audits`)),
  change: z.discriminatedUnion('action', [
    z.object({ action: z.literal('assign'), assignee: lineSchema({ max: textLimits.name }) }),
    z.object({ action: z.literal('setDate'), date: OptionalDay }),
    z.object({ action: z.literal('remind') }),
  ]),
});
export type AuditsChange = z.output<typeof AuditsChange>;

/** Why an audit stayed as it was. */
const unchangedReasons = ['changed', 'completed', 'notFound', 'noAssignee', 'reminded', 'failed'] as const;
export const AuditsChangeReply = z.object({
  changed: z.number(),
  unchanged: z.array(z.object({ id: z.string(), reason: z.enum(unchangedReasons) })),
});
export type AuditsChangeReply = z.output<typeof AuditsChangeReply>;

const AuditData = {
  ...mapAuditTexts(() => z.string()),
  is_urgent: z.boolean(),
  completed: z.boolean(),
  completed_by: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  /** When the form that created or last completed the audit was filled in, by the device's clock. */
  captured_at: z.optional(z.nullable(z.string())),
  date: z.nullable(z.string()),
  time: z.nullable(z.string()),
  media_files: z.array(StoredMediaFile),
  /** The assigned user, if the assignee is one. */
  assignee_id: z.optional(z.string()),
  source: z.optional(Source),
  verification: z.optional(Verification),
};
const AuditSummary = {
  id: z.string(),
  folder_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  version: z.number(),
  /** Set if stored data was damaged; everything readable is included. */
  parse_error: z.optional(z.literal(true)),
};

/** An audit in a folder's list, with all fields at the top level. */
export const ListedAudit = z.object({ ...AuditSummary, ...AuditData });
export type ListedAudit = z.output<typeof ListedAudit>;

/** An audit in its detail view, with some of its fields in `data`. */
export const Audit = z.object({
  ...AuditSummary,
  folder_name: z.string(),
  park: z.string(),
  date: z.nullable(z.string()),
  time: z.nullable(z.string()),
  place: PlaceOfRecord,
  parkWasClosed: ParkWasClosed,
  data: z.object(AuditData),
});
export type Audit = z.output<typeof Audit>;

export const OpenAudit = z.extend(ListedAudit, { folder_name: z.string(), park: z.string() });
export type OpenAudit = z.output<typeof OpenAudit>;

/** Formats when an audit is due: `12/06/2026 at 14:00`, or one of both; '' without. */
export const formatDue = ({ date, time }: Pick<ListedAudit, 'date' | 'time'>): string =>
  [date && formatDay(date), time].filter(Boolean).join(' at ');

/** What is next for an audit, and when: `Due 12/06/2026 at 14:00`, `Verify by …`, `Completed …`. */
export function describeAuditDay({
  verification,
  completed,
  completed_at,
  ...audit
}: Pick<ListedAudit, 'verification' | 'completed' | 'completed_at' | 'date' | 'time'>): string {
  if (verification?.by) return `Verify by ${formatDay(verification.by)}`;
  if (completed) return completed_at ? `Completed ${formatInstantDay(completed_at)}` : 'Completed';
  const due = formatDue(audit);
  return due ? `Due ${due}` : 'No due day';
}

const Yes = z.optional(z.literal('yes', "Only 'yes' is accepted"));

/**
 * The states by which audits are listed. Open ones have something left to do: to complete, or to verify. One to verify
 * is completed too.
 */
export const auditStates = ['toComplete', 'open', 'verify', 'completed', 'all'] as const;
export type AuditState = (typeof auditStates)[number];
export const AuditState = z.enum(auditStates, 'Choose toComplete, open, verify, completed or all');

/** Filters of audits, open ones unless `state` says otherwise. `after` is the id of the last audit already shown. */
export const OpenAuditQuery = z.object({
  state: z.optional(AuditState),
  /** Words in the title, the description, the location and the notes. */
  q: z.optional(lineSchema({ max: textLimits.line })),
  /** Assigned to the user, or theirs to verify; of completed audits, those that they completed too. */
  mine: Yes,
  park: z.optional(parkSchema),
  folder: z.optional(z.string()),
  place: PlaceFilter,
  /** A username, or the name of an assignee who is not a user. A user also finds what they completed. */
  assignee: z.optional(lineSchema({ max: textLimits.name })),
  /** The former `q`. */
  title: z.optional(lineSchema({ max: textLimits.line })),
  unassigned: Yes,
  overdue: Yes,
  urgent: Yes,
  /** The former state `verify`. */
  verify: Yes,
  /** A filter for reviewers only. */
  source: z.optional(z.enum(auditSources, 'Choose the report or audit from which this audit follows')),
  after: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
});
export type OpenAuditQuery = z.output<typeof OpenAuditQuery>;

export const getAuditState = ({ state, verify }: Pick<OpenAuditQuery, 'state' | 'verify'>): AuditState =>
  state ?? (verify ? 'verify' : 'open');

/** The numbers of open audits: overdue by park and by person (highest first), and unassigned. */
export const OpenAuditCounts = z.object({
  parks: z.array(z.object({ park: z.string(), overdue: z.number() })),
  /** Users only. */
  people: z.array(z.object({ username: z.string(), overdue: z.number() })),
  unassigned: z.number(),
  toVerify: z.number(),
});
export type OpenAuditCounts = z.output<typeof OpenAuditCounts>;

const noteFields = {
  text: z._default(linesSchema({ max: textLimits.description }), ''),
  media_files: z._default(MediaFiles, []),
};
const hasContent = z.refine<{ text: string; media_files: unknown[] }>(
  ({ text, media_files }) => text.trim() !== '' || media_files.length > 0,
  { path: ['text'], error: 'Write a note or add a photo' },
);

/** A text, photos or both. */
export const NewAuditNote = z.object(noteFields).check(hasContent);

/** What someone else found at a completed audit, with a note, photos or both. */
export const NewVerification = z.object({ outcome: Outcome, ...noteFields }).check(hasContent);

export const VerificationReply = z.extend(CreatedReply, { follow_up_id: z.optional(z.string()) });

/** Notes cannot be changed, and may be added to completed audits too. */
export const AuditNote = z.object({
  id: z.string(),
  text: z.string(),
  media_files: z.array(StoredMediaFile),
  created_at: z.string(),
  created_by: z.string(),
  /** Set if the note is the verification of the audit, or the answer to its lesson. */
  outcome: z.optional(z.enum([...verificationOutcomes, ...lessonAnswers])),
});
export type AuditNote = z.output<typeof AuditNote>;

/** `Verification: Works`, `Answer to the lesson: Needs Work`. */
export const describeOutcome = (outcome: NonNullable<AuditNote['outcome']>) =>
  outcome in lessonAnswerLabels
    ? `Answer to the lesson: ${lessonAnswerLabels[outcome as keyof typeof lessonAnswerLabels]}`
    : `Verification: ${outcomeLabels[outcome as VerificationOutcome]}`;

/** An audit that was created from a report or submission, as that record's screen shows it. */
export const LinkedAudit = z.object({
  id: z.string(),
  title: z.string(),
  section: z.nullable(z.number()),
  date: z.nullable(z.string()),
  completed: z.boolean(),
  completed_by: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  /** Who deleted the audit, and when. */
  deleted_by: z.nullable(z.string()),
  deleted_at: z.nullable(z.string()),
});
export type LinkedAudit = z.output<typeof LinkedAudit>;

/** `Completed by huw on 21/11/2026`, `Deleted by huw on 21/11/2026`, `Pending, due 24/11/2026`. */
export function describeAuditState(
  { completed, completed_by, completed_at, date, ...audit }: LinkedAudit,
  showName = (username: string) => username,
): string {
  const on = (at: string | null) => (at ? ` on ${formatInstantDay(at)}` : '');
  if (audit.deleted_by) return `Deleted by ${showName(audit.deleted_by)}${on(audit.deleted_at)}`;
  if (completed) return `Completed by ${showName(getCompletedBy({ completed_by }))}${on(completed_at)}`;
  return date ? `Pending, due ${formatDay(date)}` : 'Pending';
}

/**
 * Whether an audit's due date is before `day`, by default today in the parks' time zone: its own date,
 * or once it is completed the last day for its verification.
 */
export const isOverdue = (
  audit: { completed: boolean; date: string | null; verification?: Verification | undefined },
  day = getToday(),
) => {
  const dueDay = audit.completed ? audit.verification?.by : audit.date;
  return dueDay ? dueDay < day : false;
};

/** `To verify by 24/12/2026, by Sian`, `Verified: works`. */
export function describeVerification(
  { days, verifier, by, outcome }: Verification,
  showName = (username: string) => username,
) {
  if (outcome) return `Verified: ${outcomeLabels[outcome].toLowerCase()}`;
  const who = verifier ? `, by ${showName(verifier)}` : '';
  return by
    ? `To verify by ${formatDay(by)}${who}`
    : `To be verified within ${pluralise(days, 'day')} of completion${who}`;
}

/** Returns who completed it; old records may not say. */
export const getCompletedBy = (audit: { completed_by: string | null }) => audit.completed_by || 'Unknown User';

/** Sort orders of a folder's audits, as shown. The first is the default. */
export const auditOrders = [
  { value: 'created-desc', label: 'Newest First' },
  { value: 'created-asc', label: 'Oldest First' },
  { value: 'due-asc', label: 'Due Date (Earliest First)' },
  { value: 'due-desc', label: 'Due Date (Latest First)' },
  { value: 'urgent', label: 'Urgent First' },
  { value: 'pending', label: 'Pending First' },
] as const;
export type AuditOrder = (typeof auditOrders)[number]['value'];

type SortableAudit = Pick<ListedAudit, 'id' | 'created_at' | 'date' | 'time' | 'is_urgent' | 'completed'>;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const getDueTime = (audit: SortableAudit) => `${audit.date} ${audit.time ?? ''}`;
const compareByAge = (a: SortableAudit, b: SortableAudit) => compare(a.created_at, b.created_at) || compare(a.id, b.id);
const compareByDueDate = (direction: 1 | -1) => (a: SortableAudit, b: SortableAudit) =>
  Number(!a.date) - Number(!b.date) || (a.date && b.date ? direction * compare(getDueTime(a), getDueTime(b)) : 0);

const comparators: Record<AuditOrder, (a: SortableAudit, b: SortableAudit) => number> = {
  'created-desc': (a, b) => compareByAge(b, a),
  'created-asc': compareByAge,
  'due-asc': compareByDueDate(1),
  'due-desc': compareByDueDate(-1),
  urgent: (a, b) => Number(b.is_urgent) - Number(a.is_urgent),
  pending: (a, b) => Number(a.completed) - Number(b.completed),
};

/** Returns a sorted copy: audits without a date last in due-date orders, ties newest first. */
export const sortAudits = <T extends SortableAudit>(audits: T[], order: AuditOrder): T[] =>
  audits.toSorted((a, b) => comparators[order](a, b) || compareByAge(b, a));
