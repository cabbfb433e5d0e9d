import { pluralise } from '#shared/pluralise.ts';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { OutboxKind, Receipt } from './items.ts';

export const kindLabels: Record<OutboxKind, string> = {
  accident: 'Accident report',
  incident: 'Incident report',
  checklist: 'Checklist',
  audit: 'Audit',
  hazard: 'Hazard',
  completion: 'Completed audit',
};

export const savedOnDevice = 'Saved on this device. It will be sent when you are back online.';
export const savedForRetry = 'Saved on this device. It will be tried again.';

/** `Sign in to send 1 report`, `Sign in to send 3 items`; empty if nothing waits. */
export function describeWaiting(items: { kind: OutboxKind }[]): string {
  if (items.length === 0) return '';
  const every = (...kinds: OutboxKind[]) => items.every(({ kind }) => kinds.includes(kind));
  const noun = every('accident', 'incident')
    ? 'report'
    : every('checklist')
      ? 'checklist'
      : every('audit', 'completion')
        ? 'audit'
        : 'item';
  return `Sign in to send ${pluralise(items.length, noun)}`;
}

/** `received with 3 photos and 2 signatures`, `received with 2 of 3 photos and 2 signatures`. */
export function formatReceived({ photos, signatures, rejected, isEarlier }: Receipt): string {
  if (isEarlier) return 'received before. What you changed after pressing Submit is not in it';
  const photoCount = photos + rejected.length;
  const parts = [
    rejected.length > 0 ? `${photos} of ${pluralise(photoCount, 'photo')}` : photos > 0 && pluralise(photos, 'photo'),
    signatures > 0 && pluralise(signatures, 'signature'),
  ].filter(Boolean);
  return parts.length > 0 ? `received with ${parts.join(' and ')}` : 'received';
}

/** What the receipt of a form says below its number: what arrived, and who was told. */
export function describeReceived(receipt: Receipt): string {
  const { kind, number, park, told = [] } = receipt;
  const isReport = kind === 'accident' || kind === 'incident';
  if (isReport && !number) return 'This report was already received.';
  const people = told.map((who) => (who === 'assignee' ? 'the assignee' : `the reviewers of ${park}`));
  const were = people.length > 1 || told[0] === 'reviewers' ? 'were' : 'was';
  return [formatReceived(receipt), people.length > 0 && `${people.join(' and ')} ${were} told`]
    .filter(Boolean)
    .map((sentence) => `${String(sentence).charAt(0).toUpperCase()}${String(sentence).slice(1)}.`)
    .join(' ');
}

/** `Photo 2 (pool.jpg) was not added. This image could not be read.` */
export const formatRejected = ({ position, name, problem }: Receipt['rejected'][number]) =>
  joinSentences(`Photo ${position} (${name}) was not added`, problem);
