// From a document to its PDF, in a child process that is started when first needed and let go when idle.
import { fileURLToPath } from 'node:url';
import { createPool } from '../workers/pool.ts';
import type { PdfDocument } from './document.ts';
import type { PdfStandard, RenderedPdf, RenderJob } from './typst-renderer.ts';

export type PdfRenderer = {
  /**
   * `photos` holds the bytes (JPEG, PNG or WebP, as they rest after upload) of the images that the document names; one that is
   * missing or broken leaves a box marked 'Image unavailable'. `level` is 'a-2a' (PDF/A-2a), or what else was possible:
   * 'a-2a escaped', '1.7'. Refuses with 503 when 20 are waiting; rejects with JobError when it takes over 10 seconds, twice. Users take turns.
   */
  render(document: PdfDocument, photos: Record<string, Buffer>, user?: string): Promise<{ pdf: Buffer; level: string }>;
  close(): Promise<void>;
};

type PdfRendererOptions = {
  operatorName: string;
  /** JPEG, PNG, WebP or SVG. Without it, the drawing that ships with the product. */
  logo?: Buffer;
  standard?: PdfStandard;
};

export function createPdfRenderer({ operatorName, logo, standard = 'a-2a' }: PdfRendererOptions): PdfRenderer {
  const pool = createPool<RenderJob, RenderedPdf>({
    script: new URL('./child.ts', import.meta.url),
    size: 1,
    queue: 20,
    timeoutMs: 10_000,
    idleMs: 10 * 60_000,
    env: { FONTCONFIG_FILE: fileURLToPath(new URL('./assets/nofonts.conf', import.meta.url)) },
  });

  return {
    async render(document, photos, user) {
      const { pdf, level } = await pool.run({ document, photos, operatorName, logo, standard }, { user });
      return { pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), level };
    },
    close: pool.close,
  };
}
