// Signatures as PNG, black on white: a blob, or a data URL in JSON.
import { getSignatureBase64, isSignatureUrl, toSignatureUrl } from '#shared/reports/signature-url.ts';
import type { SignedBy } from '#shared/reports/signed-by.ts';
import { foldText } from '#shared/text.ts';
import { signatureImageLimits } from '../photos/imageLimits.ts';
import { resizeWithin } from '../photos/resizeImage.ts';

/** A saved signature. Its blob can be stored in IndexedDB. */
export type Signature = {
  png: Blob;
  /** Set if someone else signed. */
  signedBy?: SignedBy;
  /** The name of the requested signer when this was signed. */
  signedAs?: string;
};

/**
 * Whether the name was changed after signing, in more than case, accents, spaces and punctuation, so
 * that the signature may be another person's.
 */
export const isSignedAsOther = (signature: Signature | null, name: string): boolean => {
  const normaliseName = (text: string) => foldText(text).replace(/[\s\p{P}\p{S}]+/gu, '');
  return Boolean(signature?.signedAs?.trim()) && normaliseName(signature?.signedAs ?? '') !== normaliseName(name);
};

/** A source of signatures: the canvas, or a typed name. */
export type SignatureSource = { isEmpty: () => boolean; toPng: () => Promise<Blob | null> };

/** The size of a signature in px; smaller only if its file would be too large. */
export const signatureWidth = signatureImageLimits.longestSide;
export const signatureHeight = signatureWidth / 2;

/** Writes a canvas as PNG of at most 800 px and 0.2 MB. Resolves with null if the browser fails. */
export async function toSignaturePng(canvas: HTMLCanvasElement): Promise<Blob | null> {
  // toBlob is not used, because browsers may delay it until they are idle, and a busy phone never
  // is.
  const png = dataUrlToBlob(canvas.toDataURL('image/png'));
  if (!png || png.size <= signatureImageLimits.maxBytes) return png ?? null;
  return resizeWithin(canvas, signatureImageLimits);
}

/** Returns a PNG blob as a data URL, as checklists send it. */
export async function blobToDataUrl(png: Blob): Promise<string> {
  const bytes = new Uint8Array(await png.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return toSignatureUrl(btoa(text));
}

/** Parses `blobToDataUrl`'s result; undefined if it is not a PNG data URL. */
export function dataUrlToBlob(url: string): Blob | undefined {
  if (!isSignatureUrl(url)) return undefined;
  const text = atob(getSignatureBase64(url));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], { type: 'image/png' });
}
