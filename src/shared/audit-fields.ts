// The texts of an audit besides its title, in the order of its screen; they are stored together as
// JSON. The forms, PDF, exports, search and erasure follow this list; "Adding a field" in
// docs/architecture.md says how.
import { textLimits } from './choices.ts';

type AuditText = {
  /** `person` is the assignee: a username, or the name of someone who is not a user. */
  kind: 'line' | 'lines' | 'person';
  label: string;
  /** Shown where there is no text. */
  empty: string;
  max: number;
  /** The width of its column in the spreadsheet, in characters. */
  width: number;
};

export const auditTexts = {
  location: { kind: 'line', label: 'Location', empty: 'Not specified', max: textLimits.line, width: 20 },
  assignee: { kind: 'person', label: 'Assignee', empty: 'Not assigned', max: textLimits.name, width: 20 },
  description: {
    ...{ kind: 'lines', label: 'Description', empty: 'No description provided' },
    ...{ max: textLimits.description, width: 60 },
  },
} as const satisfies Record<string, AuditText>;

export type AuditTextName = keyof typeof auditTexts;
export type AuditTexts = Record<AuditTextName, string>;

export const auditTextNames = Object.keys(auditTexts) as AuditTextName[];

/** The names of the texts of one line, such as the location, and of those of several lines. */
export const singleLineAuditTexts = auditTextNames.filter((name) => auditTexts[name].kind !== 'lines');
export const multiLineAuditTexts = auditTextNames.filter((name) => !singleLineAuditTexts.includes(name));

export const mapAuditTexts = <T>(map: (name: AuditTextName, text: AuditText) => T) =>
  Object.fromEntries(auditTextNames.map((name) => [name, map(name, auditTexts[name])])) as Record<AuditTextName, T>;

/** The labels of all fields that can be changed. */
export const auditLabels = {
  title: 'Title',
  ...mapAuditTexts((_, { label }) => label),
  is_urgent: 'Urgent?',
  date: 'Date',
  time: 'Time',
};
export type AuditFieldName = keyof typeof auditLabels;
export const auditFieldNames = Object.keys(auditLabels) as AuditFieldName[];
