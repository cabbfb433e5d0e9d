// A submitted checklist as a printed page: each section with its answer or signature.
import { formatAnswer, groupByHeading } from '#shared/answers.ts';
import { describeAuditState, type LinkedAudit } from '#shared/audits.ts';
import { placeNotKnown, type StoredFailures, type Submission } from '#shared/checklists.ts';
import { formatCapturedAt, formatInstant } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { getSignatureBase64, isSignatureUrl } from '#shared/reports/signature-url.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { describeClosed } from '../parks/closed-periods.ts';
import { createPhotoGrid, type PdfAnswer, type PdfDocument, type PdfPart } from '../pdf/document.ts';

/** Returns the document, the signatures it shows as PNG by key, and the paths of the photos it shows. */
export function createSubmissionPdf(
  submission: Submission,
  audits: LinkedAudit[],
  madeAt: Date,
): { document: PdfDocument; images: Record<string, Buffer>; photos: string[] } {
  const { number, checklist_title, submitted_at, submitted_by, park, sections, data } = submission;
  const { failures = {}, notes = {}, place, place_not_known } = submission;
  const where = [place?.name, park, place_not_known && placeNotKnown].filter(Boolean).join(', ');
  const filledInAt = formatCapturedAt(submission.captured_at, submitted_at);
  const images: Record<string, Buffer> = {};
  const rows = sections.map((section, index): PdfAnswer => {
    const answer = data[index];
    if (section.type !== 'signature') {
      const text = section.type === 'photo' ? countPhotos(notes[index]) : formatAnswer(section, answer);
      if (!failures[index]) return { question: section.title, answer: text };
      return { question: section.title, answer: `${text} (failing)`, isFailing: true };
    }
    if (!isSignatureUrl(answer)) return { question: section.title, answer: '' };
    const image = `signature-${index}`;
    images[image] = Buffer.from(getSignatureBase64(answer), 'base64');
    return { question: section.title, answer: '', image };
  });
  const toParts = ({ heading, indexes }: ReturnType<typeof groupByHeading>[number]): PdfPart[] => {
    const recorded = indexes.filter((index) => isRecorded(sections, data, index));
    if (recorded.length === 0) return [];
    return [
      ...(heading ? [{ kind: 'heading', text: heading } as const] : []),
      { kind: 'answers', rows: recorded.flatMap((index) => rows[index] ?? []) },
    ];
  };
  const document: PdfDocument = {
    title: checklist_title,
    number,
    subtitle: `${where && `${where}. `}Submitted on ${formatInstant(submitted_at).replace(', ', ' at ')} by ${submitted_by}${filledInAt && `. Filled in ${filledInAt}`}${describeClosed(park, submitted_at)}`,
    madeAt,
    parts: [
      ...groupByHeading(sections).flatMap(toParts),
      ...createNotes('Failing answers', failures, submission, audits),
      ...createNotes('Notes and photos', notes, submission, []),
    ],
  };
  const photos = [...Object.values(failures), ...Object.values(notes)].flatMap(({ media_files }) =>
    media_files.map(({ path }) => path),
  );
  return { document, images, photos };
}

const countPhotos = (noted: StoredFailures[string] | undefined) =>
  noted && noted.media_files.length > 0 ? pluralise(noted.media_files.length, 'photo') : '';

/** Notes and photos of answers, and the state of their audits. */
function createNotes(
  heading: string,
  notes: StoredFailures,
  { number, sections }: Submission,
  audits: LinkedAudit[],
): PdfPart[] {
  const entries = Object.entries(notes);
  if (entries.length === 0) return [];
  const parts = entries.flatMap(([index, { note, media_files }]): PdfPart[] => {
    const audit = audits.find(({ section }) => section === Number(index));
    const lines = [sections[Number(index)]?.title ?? '', note, audit ? `Audit: ${describeAuditState(audit)}` : ''];
    const grid = createPhotoGrid(media_files, `submitted checklist ${number}`);
    const hasPhotos = media_files.length > 0;
    return [
      { kind: 'text', text: lines.filter(Boolean).join('\n'), isCaption: hasPhotos },
      ...(hasPhotos ? [grid] : []),
    ];
  });
  return [{ kind: 'heading', text: heading }, ...parts];
}
