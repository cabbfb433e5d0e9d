import type { ImageLimits } from './imageLimits.ts';
import { decode, resizeDecoded } from './resizeImage.ts';

export type ResizeRequest = { id: number; source: Blob; limits: ImageLimits };
export type ResizeReply =
  | { id: number; isProgress: true }
  | { id: number; resized: Blob }
  | { id: number; failed: 'decode' | 'draw' };

addEventListener('message', async ({ data }: MessageEvent<ResizeRequest>) => {
  postMessage(await handleRequest(data));
});

async function handleRequest({ id, source, limits }: ResizeRequest): Promise<ResizeReply> {
  const decoded = await decode(source).catch(() => undefined);
  if (!decoded) return { id, failed: 'decode' };
  const reportProgress = () => postMessage({ id, isProgress: true } satisfies ResizeReply);
  reportProgress();
  try {
    return { id, resized: await resizeDecoded(decoded, limits, reportProgress) };
  } catch {
    return { id, failed: 'draw' };
  } finally {
    decoded.image.close();
  }
}
