// The content of a printed record. Features provide it; its layout is in assets/template.typ.
import { cutOffText } from '#shared/cut-off.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';

/**
 * One record to print. Texts may be any Unicode of any length; empty values print as 'Not
 * provided'.
 */
export type PdfDocument = {
  /** The type of the record, such as 'Accident report'. */
  title: string;
  /** The number of the record, such as 'ACC-2026-0001', printed on every page. */
  number: string;
  subtitle?: string;
  /** When this copy was created, on every page. The same document and time give the same bytes. */
  madeAt: Date;
  parts: PdfPart[];
  /** Labels to cut out, printed instead of the parts, without header and footer. */
  labels?: PdfLabels;
};

export type PdfLabels = {
  perPage: number;
  /** `qrCode` is an SVG. */
  items: { name: string; park: string; address: string; qrCode: string }[];
  /** The first line, and what guests read below the place. */
  texts: { question: { en: string; cy?: string }; emergency?: { en: string; cy: string } };
};

export type PdfPart =
  | { kind: 'heading'; text: string }
  /** With `isCaption`, it is on the page of what follows. */
  | { kind: 'text'; text: string; isCaption?: boolean }
  | { kind: 'notice'; text: string; urgent?: boolean }
  /** Labelled fields. With `columns: 2`, two fields with short values are side by side. */
  | { kind: 'fields'; columns?: 2; rows: { label: string; value: string; mark?: PdfMark }[] }
  | { kind: 'answers'; rows: PdfAnswer[] }
  | { kind: 'photos'; photos: PdfPhoto[] }
  | { kind: 'signatures'; signatures: PdfSignature[] };

/** A symbol that is printed before a state, so that it can be recognised at a glance. */
export type PdfMark = 'urgent' | 'waiting' | 'done' | 'none';

// In the types below, `image` is a key of the photos passed to `render`. A missing photo leaves a
// marked gap.

/** `alt` is read by screen readers and must not be empty. */
type PdfPhoto = { image: string; caption: string; alt: string };

/** A signature. Without `image`, an empty line is printed. */
type PdfSignature = { image?: string; name: string; role: string };

/** A section and its answer: text, or a signature if there is an `image`. A failing one is marked. */
export type PdfAnswer = { question: string; answer: string; image?: string; isFailing?: boolean };

/**
 * Creates a grid of photos with captions such as 'Photo 2 of 5', which say whether the photo was cut off. The alternative
 * texts also name the record.
 */
export function createPhotoGrid(files: Pick<StoredMediaFile, 'path' | 'cutOff'>[], record: string): PdfPart {
  const photos = files.map(({ path, cutOff }, index) => {
    const caption = `Photo ${index + 1} of ${files.length}${cutOff ? `. ${cutOffText}` : ''}`;
    return { image: path, caption, alt: `${caption}, ${record}` };
  });
  return { kind: 'photos', photos };
}
