import { addYears } from '#shared/calendar.ts';
import { formatInstantDay, getMonth, getToday } from '#shared/dates.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import { followPlace } from '../places/links/place-links.ts';
import { declareKind } from '../record-kind.ts';
import { listStoredPaths } from '../uploads/stored-paths.ts';
import { unknownPlace } from './store.ts';

export const messageKind = declareKind({
  table: 'guest_messages',
  uploads: 'message',
  park: 'park',
  found: {
    label: (row) => `Message from a guest, ${row.park}, ${formatInstantDay(row.created_at)}`,
    images: ({ media_files }) => listStoredPaths(media_files),
    number: ({ contact }) => (contact.includes('@') ? '' : contact),
  },
  purpose: 'Warning from a guest about something dangerous',
  log: { readers: 'reviewers' },
  retention: {
    from: 'closed_at',
    minYears: ({ years }) => years,
    // A message is kept as long as the audit or report that was created from it. An open one has no end.
    condition: `closed_at is not null
      and not exists (select 1 from reports where reports.id = guest_messages.report_id)
      and (audit_id is null or exists (select 1 from destroyed where destroyed.id = audit_id))`,
    async dueFrom(row, db, { years }) {
      const day = getToday(new Date(row.closed_at ?? ''));
      const place = await followPlace(db, row.place_id);
      const label = getHazardTitle(row.kind, place?.name ?? unknownPlace);
      return { label, place: row.park, day, class: 'Message from a guest', until: addYears(day, years) };
    },
    toCount: async (row) => ({ park: row.park, month: getMonth(getToday(new Date(row.created_at))) }),
  },
});
