// The content of a printed record. Features provide it; its layout is in assets/template.typ.

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
};

export type PdfPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'notice'; text: string; urgent?: boolean }
  /** With `columns: 2`, two fields are side by side: for short values. */
  | { kind: 'fields'; columns?: 2; rows: { label: string; value: string; mark?: PdfMark }[] }
  | { kind: 'answers'; rows: PdfAnswer[] }
  | { kind: 'photos'; photos: PdfPhoto[] }
  | { kind: 'signatures'; signatures: PdfSignature[] };

/** A symbol before a value, so that a state is not shown by its text alone. */
export type PdfMark = 'urgent' | 'waiting' | 'done' | 'none';

// `image` is a key of the photos passed to render(). A missing one leaves a marked gap.

/** `alt` is read by screen readers and must not be empty. */
type PdfPhoto = { image: string; caption: string; alt: string };

/** Without `image`, the line to sign on is empty. */
type PdfSignature = { image?: string; name: string; role: string };

/** A section and its answer: text, or a signature if there is an `image`. */
export type PdfAnswer = { question: string; answer: string; image?: string };

/**
 * Creates a photo grid, with 'Photo 2 of 5' as captions and the record in the alternative texts.
 */
export function createPhotoGrid(images: string[], record: string): PdfPart {
  const photos = images.map((image, index) => {
    const caption = `Photo ${index + 1} of ${images.length}`;
    return { image, caption, alt: `${caption}, ${record}` };
  });
  return { kind: 'photos', photos };
}
