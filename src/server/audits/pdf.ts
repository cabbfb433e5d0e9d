// An audit as a printed page: its task, assignee and due date, whether it is completed, and the
// photos.
import { auditTexts, multiLineAuditTexts, singleLineAuditTexts } from '#shared/audit-fields.ts';
import { type AuditNote, describeOutcome, describeVerification, getCompletedBy, isOverdue } from '#shared/audits.ts';
import { formatCapturedAt, formatDay, formatInstant, getToday } from '#shared/dates.ts';
import type { NameFinder } from '../names/user-names.ts';
import { describeClosed } from '../parks/closed-periods.ts';
import { createPhotoGrid, type PdfDocument, type PdfPart } from '../pdf/document.ts';
import type { FoundAudit } from './store.ts';

/** Returns an audit and its notes with the full names of users. */
export const nameUsersOfAudit = (audit: FoundAudit, notes: AuditNote[], getName: NameFinder) => ({
  audit: {
    ...audit,
    ...{ assignee: getName(audit.assignee), completed_by: getName(audit.completed_by) },
    ...(audit.verification && {
      verification: { ...audit.verification, verifier: getName(audit.verification.verifier) },
    }),
  },
  notes: notes.map((note) => ({ ...note, created_by: getName(note.created_by) })),
});

/** Returns the document and the uploads it shows. */
export function createAuditPdf(
  audit: FoundAudit,
  notes: AuditNote[],
  madeAt: Date,
): { document: PdfDocument; images: string[] } {
  const photoPaths = audit.media_files.map((file) => file.path);
  const images = [...photoPaths, ...notes.flatMap(({ media_files }) => media_files.map(({ path }) => path))];
  const title = audit.title || 'Untitled Audit';
  const { folder } = audit;
  const filledInAt = formatCapturedAt(audit.captured_at, audit.completed_at ?? audit.created_at);
  const document: PdfDocument = {
    title,
    number: `Audit ${audit.id.slice(0, 8)}`,
    subtitle: `${folder.name}, ${folder.park}${describeClosed(folder.park, audit.created_at)}`,
    madeAt,
    parts: [
      ...createNotices(audit, madeAt),
      {
        kind: 'fields',
        rows: [
          { label: 'Park', value: folder.park },
          { label: 'Folder', value: folder.name },
          ...singleLineAuditTexts.map((name) => ({
            label: auditTexts[name].label,
            value: audit[name] || auditTexts[name].empty,
          })),
          { label: 'Date', value: audit.date ? formatDay(audit.date) : '' },
          { label: 'Time', value: audit.time ?? '' },
          { label: 'Urgent', value: audit.is_urgent ? 'Yes' : 'No' },
          { label: 'Status', value: audit.completed ? `Completed ${describeCompletion(audit)}` : 'Pending' },
          ...(audit.verification ? [{ label: 'Verification', value: describeVerification(audit.verification) }] : []),
          { label: 'Created', value: formatInstant(audit.created_at) },
          ...(filledInAt ? [{ label: 'Filled in', value: filledInAt }] : []),
        ],
      },
      ...multiLineAuditTexts.flatMap((name): PdfPart[] => [
        { kind: 'heading', text: auditTexts[name].label },
        { kind: 'text', text: audit[name] || auditTexts[name].empty },
      ]),
      ...(audit.media_files.length > 0
        ? [{ kind: 'heading', text: 'Attachments' } as const, createPhotoGrid(audit.media_files, `audit ${title}`)]
        : []),
      ...createNotes(notes, title),
    ],
  };
  return { document, images };
}

function createNotes(notes: AuditNote[], title: string): PdfPart[] {
  if (notes.length === 0) return [];
  const parts = notes.flatMap(({ text, media_files, created_at, created_by, outcome }): PdfPart[] => [
    {
      kind: 'text',
      text: [
        `${created_by}, ${formatInstant(created_at)}`,
        ...(outcome ? [describeOutcome(outcome)] : []),
        ...(text ? [text] : []),
      ].join('\n'),
    },
    ...(media_files.length > 0 ? [createPhotoGrid(media_files, `note on audit ${title}`)] : []),
  ]);
  return [{ kind: 'heading', text: 'Notes' }, ...parts];
}

const describeCompletion = (audit: FoundAudit) =>
  `by ${getCompletedBy(audit)}${audit.completed_at ? ` on ${formatInstant(audit.completed_at)}` : ''}`;

function createNotices(audit: FoundAudit, madeAt: Date): PdfPart[] {
  const parts: PdfPart[] = [];
  if (audit.is_urgent) parts.push({ kind: 'notice', text: 'URGENT', urgent: true });
  if (isOverdue(audit, getToday(madeAt))) parts.push({ kind: 'notice', text: 'Overdue', urgent: true });
  if (audit.completed)
    parts.push({ kind: 'notice', text: `This audit has been marked as completed ${describeCompletion(audit)}.` });
  if (audit.parse_error)
    parts.push({ kind: 'notice', text: 'Data issue detected. What could be read is shown.', urgent: true });
  return parts;
}
