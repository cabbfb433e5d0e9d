import { type Drawn, decode, drawWithin } from './draw.ts';
import type { PictureLimits } from './pictureLimits.ts';

export type DrawOrder = { id: number; source: Blob; limits: PictureLimits };
export type DrawReply = { id: number; drawn: Drawn } | { id: number; failed: 'decode' | 'draw' };

addEventListener('message', async ({ data }: MessageEvent<DrawOrder>) => {
  postMessage(await reply(data));
});

async function reply({ id, source, limits }: DrawOrder): Promise<DrawReply> {
  const image = await decode(source).catch(() => undefined);
  if (!image) return { id, failed: 'decode' };
  try {
    return { id, drawn: await drawWithin(image, limits) };
  } catch {
    return { id, failed: 'draw' };
  } finally {
    image.close();
  }
}
