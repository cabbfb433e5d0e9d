import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { type OutboxFile, type OutboxItem, readFile } from './items.ts';

/** Returns the photos of an item as a form holds them, without those that this device no longer has. */
export async function readPhotos(
  { id, files }: OutboxItem,
  isWanted: (file: OutboxFile) => boolean = () => true,
): Promise<PreparedPhoto[]> {
  const infos = files.filter((file) => file.slot === 'photo' && isWanted(file));
  const photos = await Promise.all(infos.map((info) => readFile(id, info)));
  return infos.flatMap((info, index) => {
    const file = photos[index];
    return file ? [{ id: info.id, name: info.name, file }] : [];
  });
}
