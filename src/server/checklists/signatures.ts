// Signatures arrive in the answers as PNG data URLs, and are re-encoded like all images.
import type { Answers } from '#shared/answers.ts';
import { checklistLimits, type Section } from '#shared/checklists.ts';
import { getSignatureBase64, toSignatureUrl } from '#shared/reports/signature-url.ts';
import { createFieldError, HttpError } from '../errors/http-error.ts';
import type { ImageProcessor } from '../files/image-processor.ts';

/**
 * Returns the data URLs to store, by section. Throws 400 if one is not a PNG, unreadable or blank,
 * and 503 when busy.
 */
export async function processSignatures(
  imageProcessor: ImageProcessor,
  sections: Section[],
  answers: Answers,
  user: string,
): Promise<Map<number, string>> {
  const signed = sections.flatMap(({ type }, index) => {
    const answer = answers[index];
    return type === 'signature' && typeof answer === 'string' ? [{ index, bytes: decodeSignature(answer) }] : [];
  });
  if (signed.length > checklistLimits.signatures)
    throw new HttpError(400, `At most ${checklistLimits.signatures} signatures`, { code: 'INVALID' });
  const signatureUrls = new Map<number, string>();
  // One at a time, so that a long checklist takes only one place in the queue.
  for (const { index, bytes } of signed)
    signatureUrls.set(index, await processSignature(imageProcessor, bytes, index, user));
  return signatureUrls;
}

const decodeSignature = (url: string) => Buffer.from(getSignatureBase64(url), 'base64');

async function processSignature(
  imageProcessor: ImageProcessor,
  bytes: Buffer,
  index: number,
  user: string,
): Promise<string> {
  const image = await imageProcessor.processBytes(bytes, 'signature', user).catch((error: unknown) => {
    if (error instanceof HttpError && error.status < 500)
      throw createFieldError(`data.${index}`, 'This signature cannot be read. Please sign again.');
    throw error;
  });
  if (image.blank) throw createFieldError(`data.${index}`, 'This signature is empty. Please sign again.');
  return toSignatureUrl(image.bytes.toString('base64'));
}
