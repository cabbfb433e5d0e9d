// The words a printed record is made of. Features say what is on the page; how it looks is assets/template.typ alone.

/** One record, to be printed. Every text may hold any Unicode, of any length; an empty value prints as 'Not provided'. */
export type PdfDocument = {
  /** What it is: 'Accident report'. */
  title: string;
  /** What people call it by: 'ACC-2026-0001'. On every page. */
  number: string;
  subtitle?: string;
  /** When this copy was made; shown on every page, in the parks' time. The same document with the same instant is the same bytes. */
  madeAt: Date;
  parts: PdfPart[];
};

export type PdfPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'notice'; text: string; urgent?: boolean }
  /** With `columns: 2`, two of them stand beside each other: for short values. */
  | { kind: 'fields'; columns?: 2; rows: { label: string; value: string }[] }
  | { kind: 'answers'; rows: PdfAnswer[] }
  | { kind: 'photos'; photos: PdfPhoto[] }
  | { kind: 'signatures'; signatures: PdfSignature[] };

// An `image` is a key of the photos handed to render() with the document. One that is not there leaves a marked gap.

/** `alt` is what a screen reader says in place of the picture; it may not be empty. */
type PdfPhoto = { image: string; caption: string; alt: string };

/** Without an `image`, the line to sign on stays empty. */
type PdfSignature = { image?: string; name: string; role: string };

/** A question and its answer: text, or a signature when there is an `image`. */
export type PdfAnswer = { question: string; answer: string; image?: string };

/** The photo grid of a record: 'Photo 2 of 5' under each, and 'Photo 2 of 5, accident report ACC-2026-0001' for screen readers. */
export function createPhotoGrid(images: string[], record: string): PdfPart {
  const photos = images.map((image, index) => {
    const caption = `Photo ${index + 1} of ${images.length}`;
    return { image, caption, alt: `${caption}, ${record}` };
  });
  return { kind: 'photos', photos };
}
