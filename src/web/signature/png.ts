// A signature is a PNG, black on white, kept as a blob and written as a data URL where JSON has to carry it.
import { getSignatureBase64, isSignatureUrl, toSignatureUrl } from '#shared/signature-url.ts';
import type { SignedBy } from '#shared/signed-by.ts';
import { signatureImage } from '../photos/imageLimits.ts';
import { resizeWithin } from '../photos/resizeImage.ts';

/** A saved signature. Its blob can be kept in IndexedDB as it is. */
export type Signature = {
  png: Blob;
  /** Present when someone signed in place of the person it was asked of. */
  signedBy?: SignedBy;
};

/** Whatever a signature can be taken from: the pad, or a typed name. */
export type SignatureSource = { isEmpty: () => boolean; toPng: () => Promise<Blob | null> };

/** The size of every saved signature, in pixels. */
export const signatureWidth = signatureImage.longestSide;
export const signatureHeight = signatureWidth / 2;

/** Writes a canvas as a PNG within its limits: at most 800 px and 0.2 MB. Nothing when the browser gives none. */
export async function toSignaturePng(canvas: HTMLCanvasElement): Promise<Blob | null> {
  // Not toBlob: a browser may put that off until it is idle, and a busy phone is not.
  const png = dataUrlToBlob(canvas.toDataURL('image/png'));
  if (!png || png.size <= signatureImage.maxBytes) return png ?? null;
  return (await resizeWithin(canvas, signatureImage)).blob;
}

/** Writes a PNG blob as a data URL, as checklists send it. */
export async function blobToDataUrl(png: Blob): Promise<string> {
  const bytes = new Uint8Array(await png.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return toSignatureUrl(btoa(text));
}

/** Reads what `blobToDataUrl` wrote; gives nothing for any text that is not a PNG as a data URL. */
export function dataUrlToBlob(url: string): Blob | undefined {
  if (!isSignatureUrl(url)) return undefined;
  const text = atob(getSignatureBase64(url));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], { type: 'image/png' });
}
