// Both versions of an audit that someone else changed before its completion was sent.
import type { Audit } from '#shared/audits.ts';
import { formatDay } from '#shared/dates.ts';
import type { OutboxItem } from './items.ts';

export const auditLabels = {
  title: 'Title',
  location: 'Location',
  assignee: 'Assignee',
  description: 'Description',
  is_urgent: 'Urgent?',
  date: 'Date',
  time: 'Time',
};

export const formatAuditValue = (name: string, value: string | boolean) =>
  typeof value === 'boolean' ? (value ? 'Yes' : 'No') : name === 'date' ? formatDay(value) : value;

type Versions = { label: string; mine: string; theirs: string };

/** The fields that differ; empty if nothing was typed. */
export function listVersions({ kind, body, error }: OutboxItem): Versions[] {
  if (kind !== 'completion' || !error?.current) return [];
  const { data: sentData, ...fields } = body as { data?: object };
  const { data, title, date, time } = error.current as Audit;
  const mine = { ...fields, ...sentData } as Record<string, string | boolean | null | undefined>;
  const theirs = { ...data, title, date, time } as unknown as typeof mine;
  const format = (name: string, value: string | boolean | null | undefined) =>
    formatAuditValue(name, value ?? '') || '–';
  return Object.entries(auditLabels).flatMap(([name, label]) =>
    mine[name] === undefined || mine[name] === theirs[name]
      ? []
      : [{ label, mine: format(name, mine[name]), theirs: format(name, theirs[name]) }],
  );
}
