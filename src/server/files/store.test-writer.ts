// Writes files into the given folder, and prints each path once the file is stored. At an error,
// prints `rejected` and its status, and ends.
import { newFilePath, openDiskStore } from './store.ts';

const [folder = '', size = '0'] = process.argv.slice(2);
const disk = await openDiskStore(folder);
try {
  for (;;) {
    const path = newFilePath('jpg', new Date());
    await disk.write(path, Buffer.alloc(Number(size), 7));
    process.stdout.write(`${path}\n`);
  }
} catch (error) {
  process.stdout.write(`rejected ${(error as { status?: number }).status}\n`);
}
