// Renders documents to PDF in a child process, started when needed and ended when idle.
import { fileURLToPath } from 'node:url';
import { createPool, type Pool } from '../workers/pool.ts';
import type { PdfDocument } from './document.ts';
import type { PdfStandard, RenderedPdf, RenderJob } from './typst-renderer.ts';

export type PdfRenderer = {
  /**
   * Renders a document. `photos` has the images (JPEG, PNG or WebP) that the document names; a
   * missing or broken one prints as 'Image unavailable'. `level` is 'a-2a' (PDF/A-2a) or a
   * fallback, 'a-2a escaped' or '1.7'. Throws 503 if 20 documents are waiting. Rejects with
   * JobError if rendering took more than 10 seconds twice. Users take turns.
   */
  render(document: PdfDocument, photos: Record<string, Buffer>, user?: string): Promise<{ pdf: Buffer; level: string }>;
  close(): Promise<void>;
};

type PdfRendererOptions = {
  operatorName: string;
  /** The operator's logo as JPEG, PNG, WebP or SVG; by default the shipped logo. */
  logo?: Buffer;
  standard?: PdfStandard;
};

export type PdfPool = Pool<RenderJob, RenderedPdf>;

export const createPdfPool = (): PdfPool =>
  createPool({
    script: new URL('./child.ts', import.meta.url),
    size: 1,
    maxWaiting: 20,
    timeoutMs: 10_000,
    idleMs: 2 * 60_000,
    env: { FONTCONFIG_FILE: fileURLToPath(new URL('./assets/nofonts.conf', import.meta.url)) },
  });

export function createPdfRenderer(
  { operatorName, logo, standard = 'a-2a' }: PdfRendererOptions,
  pool = createPdfPool(),
): PdfRenderer {
  return {
    async render(document, photos, user) {
      const { pdf, level } = await pool.run({ document, photos, operatorName, logo, standard }, { user });
      return { pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), level };
    },
    close: pool.close,
  };
}
