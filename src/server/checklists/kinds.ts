import { addYears } from '#shared/calendar.ts';
import { getMonth, getToday } from '#shared/dates.ts';
import { declareKind } from '../record-kind.ts';
import { restoreChecklist, restoreSubmission } from './soft-delete.ts';

export const checklistKind = declareKind({
  table: 'checklists',
  children: [{ table: 'checklist_versions', of: 'checklist_id', isWithoutId: true }],
  found: { label: ({ title }) => title },
  purpose: 'Questions of a safety check',
  log: { readers: 'reviewers' },
  // Submissions refer to its versions.
  bin: { restore: restoreChecklist, isNeverPurged: true },
});

export const submissionKind = declareKind({
  table: 'submissions',
  children: [
    { table: 'submission_signatures', of: 'submission_id', isWithoutId: true },
    { table: 'submission_people', of: 'submission_id', isWithoutId: true },
  ],
  uploads: 'submission',
  park: 'park',
  found: { label: ({ number, checklist_title }) => `${number} ${checklist_title}` },
  purpose: 'Record of a safety check',
  log: { readers: 'reviewers' },
  bin: { restore: restoreSubmission },
  retention: {
    from: 'submitted_at',
    minYears: ({ years }) => years,
    async dueFrom(row, _, { years }) {
      const day = getToday(new Date(row.submitted_at));
      const facts = { label: row.number, place: row.park, day, kind: row.checklist_title };
      return { ...facts, class: 'Submitted checklist', until: addYears(day, years) };
    },
    toCount: async (row) => ({ park: row.park, month: getMonth(row.submitted_at.slice(0, 10)) }),
  },
  // A pack has the checks of a whole park.
  async listPackItems(db, id) {
    const row = await db.selectFrom('submissions').select('park').where('id', '=', id).executeTakeFirst();
    return row ? [{ thing: 'checks', thing_id: row.park }] : [];
  },
});
