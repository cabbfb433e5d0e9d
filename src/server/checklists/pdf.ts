// A submitted checklist as a printed page: each section with its answer or signature.
import { formatAnswer } from '#shared/answers.ts';
import type { Submission } from '#shared/checklists.ts';
import { formatCaptured, formatInstant } from '#shared/dates.ts';
import { getSignatureBase64, isSignatureUrl } from '#shared/signature-url.ts';
import type { PdfAnswer, PdfDocument } from '../pdf/document.ts';

/** Returns the document and the signatures it shows, by key. */
export function createSubmissionPdf(
  submission: Submission,
  madeAt: Date,
): { document: PdfDocument; images: Record<string, Buffer> } {
  const { number, checklist_title, submitted_at, submitted_by, park, sections, data } = submission;
  const filledIn = formatCaptured(submission.captured_at, submitted_at);
  const images: Record<string, Buffer> = {};
  const rows = sections.map((section, index): PdfAnswer => {
    const answer = data[index];
    if (section.type !== 'signature') return { question: section.title, answer: formatAnswer(section, answer) };
    if (!isSignatureUrl(answer)) return { question: section.title, answer: '' };
    const image = `signature-${index}`;
    images[image] = Buffer.from(getSignatureBase64(answer), 'base64');
    return { question: section.title, answer: '', image };
  });
  const document: PdfDocument = {
    title: checklist_title,
    number,
    subtitle: `${park && `${park}. `}Submitted on ${formatInstant(submitted_at).replace(', ', ' at ')} by ${submitted_by}${filledIn && `. Filled in ${filledIn}`}`,
    madeAt,
    parts: [{ kind: 'answers', rows }],
  };
  return { document, images };
}
