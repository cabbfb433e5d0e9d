// Renders one document with Typst. Runs in the child process: Typst is synchronous, and a crash of
// its native code ends the process.
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { formatInstant } from '#shared/dates.ts';
import { getImageType } from '../image-type.ts';
import type { PdfDocument } from './document.ts';
import { fontFolders, loadFontCoverage } from './fonts.ts';
import { cleanText, escapeNonLatin } from './text.ts';

/**
 * `a-2a` (archival, tagged) is used in production. `ua-1` is used in tests, because it fails on
 * anything that a screen reader cannot read.
 */
export type PdfStandard = 'a-2a' | 'ua-1';

export type RenderJob = {
  document: PdfDocument;
  photos: Record<string, Uint8Array>;
  operatorName: string;
  logo?: Uint8Array;
  standard: PdfStandard;
};

/**
 * `level` is the PDF standard achieved: with ` escaped` if non-Latin text was replaced, `1.7` if
 * none.
 */
export type RenderedPdf = { pdf: Uint8Array; level: string };

const assets = fileURLToPath(new URL('./assets', import.meta.url));
const mainFilePath = `${assets}/template.typ`;

/**
 * Creates the render function. Set FONTCONFIG_FILE to assets/nofonts.conf, or Typst also reads the
 * system's fonts.
 */
export function createTypstRenderer() {
  const isCovered = loadFontCoverage();
  const compiler = NodeCompiler.create({ workspace: assets, fontArgs: [{ fontPaths: fontFolders }] });

  return function draw({ document, photos, operatorName, logo, standard }: RenderJob): RenderedPdf {
    const paths = new Map<string, string>();
    const creationTimestamp = Math.floor(document.madeAt.getTime() / 1000);

    function addImage(key: string, path: string, bytes: Uint8Array) {
      compiler.mapShadow(assets + path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      paths.set(key, path);
    }

    function write(pdfStandard: string, finish = (text: string) => text) {
      const print = (text: string) => finish(cleanText(text, isCovered));
      const data = JSON.stringify(
        { ...document, madeAt: formatInstant(document.madeAt.toISOString()), operatorName, logo: logo && 'logo' },
        (key, value) => {
          if (key === 'image' || key === 'logo') return value === undefined ? value : (paths.get(value) ?? null);
          return typeof value === 'string' ? print(value) : value;
        },
      );
      return compiler.pdf({ mainFilePath, inputs: { data } }, { pdfStandard, creationTimestamp });
    }

    function isReadableImage(path: string) {
      const mainFileContent = `#set document(title: "Photo")\n#image("${path}", alt: "Photo")`;
      try {
        compiler.pdf({ mainFileContent }, { pdfStandard: standard, creationTimestamp });
        return true;
      } catch {
        return false;
      }
    }

    /**
     * If the standard fails, leaves out unreadable images, then tries lower standards one after the
     * other, so that the whole record can be printed; the last accepts any text.
     */
    function renderWithFallback(): RenderedPdf {
      try {
        return { pdf: write(standard), level: standard };
      } catch (cause) {
        for (const [key, path] of paths) if (!isReadableImage(path)) paths.delete(key);
        const fallbacks: [string, () => Uint8Array][] = [
          [standard, () => write(standard)],
          [`${standard} escaped`, () => write(standard, escapeNonLatin)],
          ['1.7', () => write('1.7')],
        ];
        for (const [level, createContent] of fallbacks) {
          try {
            return { pdf: createContent(), level };
          } catch {}
        }
        throw new Error(String((cause as { code?: unknown }).code ?? cause), { cause });
      }
    }

    try {
      if (logo) addImage('logo', `/shadow/logo.${getImageType(logo) ?? 'svg'}`, logo);
      for (const [index, [key, bytes]] of Object.entries(photos).entries()) {
        const type = getImageType(bytes);
        if (type) addImage(key, `/shadow/${index}.${type}`, bytes);
      }
      return renderWithFallback();
    } finally {
      // Without both calls, memory grows by the size of the photos with every document.
      compiler.resetShadow();
      compiler.evictCache(2);
    }
  };
}
