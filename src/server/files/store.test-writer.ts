// Writes file after file into the folder it is given, and tells each path once the store says it is there; it ends with `refused` and a status.
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
  process.stdout.write(`refused ${(error as { status?: number }).status}\n`);
}
