// The small pictures of lists, kept in memory once drawn, as long as there is room: many people look at the same lists all day.
import type { Services } from '../http/call.ts';
import { fileOf } from './take.ts';

const roomBytes = 32 * 2 ** 20;

/**
 * Gives a function that takes an upload's path and resolves with its preview (WebP), or nothing when there is no such file. Who may see
 * it is not asked here. Refuses what the intake refuses.
 */
export function createThumbnails({ files, intake }: Pick<Services, 'files' | 'intake'>) {
  /** The one looked at longest ago comes first. */
  const kept = new Map<string, Buffer>();
  let bytes = 0;

  function keep(path: string, thumbnail: Buffer): Buffer {
    if (!kept.has(path)) bytes += thumbnail.length;
    kept.delete(path);
    kept.set(path, thumbnail);
    for (const [oldest, { length }] of kept) {
      if (bytes <= roomBytes) break;
      kept.delete(oldest);
      bytes -= length;
    }
    return thumbnail;
  }

  return async (path: string): Promise<Buffer | undefined> => {
    const known = kept.get(path);
    if (known) return keep(path, known);
    const original = await files.read(fileOf(path));
    return original && keep(path, await intake.thumbnail(original));
  };
}
