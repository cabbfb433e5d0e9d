import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import { mountSmallDisk } from '../testing/small-disk.ts';
import { isFilePath, newFilePath, openDiskStore, type StoredFile } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = createTestFolder(onTestFinished);
});

const now = new Date('2026-03-31T23:30:00Z');
const writer = fileURLToPath(new URL('./store.test-writer.ts', import.meta.url));
const listTree = (of: string) =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function collect(files: AsyncIterable<StoredFile>) {
  const all: StoredFile[] = [];
  for await (const file of files) all.push(file);
  return all;
}

describe('paths of files', () => {
  test('a new file path contains the month in UTC and 128 random bits', () => {
    const paths = Array.from({ length: 2000 }, () => newFilePath('png', now));
    for (const path of paths) expect(path).toMatch(/^2026\/03\/[a-z2-7]{25}[aeimquy4]\.png$/);
    expect(new Set(paths).size).toBe(2000);
    const seventhCharacters = new Set(paths.map((path) => path[8]));
    expect(seventhCharacters.size).toBe(32);
  });

  const name = 'abcdefghijklmnopqrstuvwxyz';
  test.each([
    '',
    `2026/03/${name}`,
    `2026/03/${name}.jpg/`,
    `2026/03/${name}.jpg\n`,
    `2026/03/${name}.jpg\0`,
    `2026/03/${name}.jpg\0.png`,
    `2026/03/${name}.svg`,
    `2026/03/${name}.jpeg`,
    `2026/03/${name.toUpperCase()}.jpg`,
    `2026/03/${name.slice(1)}.jpg`,
    `2026/03/${name}a.jpg`,
    `/2026/03/${name}.jpg`,
    `./2026/03/${name}.jpg`,
    `2026//03/${name}.jpg`,
    `2026/03/../${name}.jpg`,
    `../2026/03/${name}.jpg`,
    `2026\\03\\${name}.jpg`,
    `2026/03/..%2f${name.slice(5)}.jpg`,
    `%32026/03/${name}.jpg`,
    `٢٠٢٦/03/${name}.jpg`,
    '../../../../etc/passwd',
    '.unfinished/x',
    'packs/x.zip',
    `packs/../${name}.zip`,
  ])('writing, reading, opening and removing %j, which is not a file path, throws 404', async (path) => {
    expect(isFilePath(path)).toBe(false);
    const disk = await openDiskStore(folder);
    for (const call of [
      () => disk.write(path, Buffer.from('x')),
      () => disk.read(path),
      () => disk.open(path),
      () => disk.remove(path),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    expect(listTree(folder)).toEqual([]);
  });
});

describe('the disk store', () => {
  test('the disk store stores a pack from a file, replaces it, and does not list it among the images', async () => {
    const disk = await openDiskStore(join(folder, 'uploads'));
    const path = `packs/${'a'.repeat(26)}.zip`;
    for (const content of ['first', 'second']) {
      writeFileSync(join(folder, 'made.zip'), content);
      await disk.move(path, join(folder, 'made.zip'));
      const openedFile = await disk.open(path);
      expect([openedFile?.size, await text(openedFile?.stream as Readable)]).toEqual([content.length, content]);
    }
    expect(await collect(disk.list())).toEqual([]);
    await disk.remove(path);
    expect(await disk.open(path)).toBeUndefined();
  });

  test('the disk store reads a written file completely, and no deleted file', async () => {
    const disk = await openDiskStore(folder);
    const path = newFilePath('jpg', now);
    await disk.write(path, Buffer.from('0123456789'));
    expect(await disk.read(path)).toEqual(Buffer.from('0123456789'));

    const wholeFile = await disk.open(path);
    expect(wholeFile?.size).toBe(10);
    expect(await text(wholeFile?.stream as Readable)).toBe('0123456789');

    await disk.remove(path);
    await disk.remove(path);
    expect(await disk.read(path)).toBeUndefined();
    expect(await disk.open(path)).toBeUndefined();
  });

  test('the disk store lists its own files with their age', async () => {
    const disk = await openDiskStore(folder);
    expect(await collect(disk.list())).toEqual([]);
    const paths = [newFilePath('jpg', now), newFilePath('png', now), newFilePath('webp', new Date('2025-12-01'))];
    for (const path of paths) await disk.write(path, Buffer.alloc(100));
    mkdirSync(join(folder, 'lost+found'));
    writeFileSync(join(folder, 'ballast'), 'x');
    writeFileSync(join(folder, '2026/03/README.txt'), 'x');
    writeFileSync(join(folder, '2026/notes'), 'x');
    const all = await collect(disk.list());
    expect(all.map((file) => file.path).sort()).toEqual([...paths].sort());
    for (const { modifiedAt } of all) expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
  });

  test.skipIf(process.platform === 'win32')(
    'the disk store creates folders with mode 0750 and files with 0640',
    async () => {
      const disk = await openDiskStore(join(folder, 'new', 'files'));
      const path = newFilePath('jpg', now);
      await disk.write(path, Buffer.from('x'));
      const getMode = (of: string) => (statSync(join(folder, 'new', of)).mode & 0o777).toString(8);
      expect(['.', 'files', 'files/.unfinished', 'files/2026', 'files/2026/03'].map(getMode)).toEqual(
        Array(5).fill('750'),
      );
      expect(getMode(`files/${path}`)).toBe('640');
    },
  );

  test('the disk store writes many files at once into a new month', async () => {
    const disk = await openDiskStore(folder);
    const paths = Array.from({ length: 40 }, () => newFilePath('jpg', now));
    await Promise.all(paths.map((path) => disk.write(path, Buffer.from(path))));
    for (const path of paths) expect((await disk.read(path))?.toString()).toBe(path);
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([]);
  });

  test('the disk store moves a file into the store and deletes the original', async () => {
    const disk = await openDiskStore(join(folder, 'files'));
    const [from, path] = [join(folder, 'drawn'), newFilePath('jpg', now)];
    writeFileSync(from, 'pixels', { mode: 0o640 });
    await disk.move(path, from);
    expect((await disk.read(path))?.toString()).toBe('pixels');
    expect(disk.getLocalPath(path)).toBe(join(folder, 'files', path));
    expect([existsSync(from), readdirSync(join(folder, 'files/.unfinished'))]).toEqual([false, []]);
    await expect(disk.move(newFilePath('jpg', now), from)).rejects.toThrow('ENOENT');
  });

  test('the disk store shows a file completely or not at all at every moment', async () => {
    const disk = await openDiskStore(folder);
    const path = newFilePath('jpg', now);
    const size = 32 * 2 ** 20;
    let isWriting = true;
    const writeDone = disk.write(path, Buffer.alloc(size)).finally(() => {
      isWriting = false;
    });
    const seenSizes = new Set<number | undefined>();
    while (isWriting) seenSizes.add((await stat(join(folder, path)).catch(() => undefined))?.size);
    await writeDone;
    expect([...seenSizes].filter((seenSize) => seenSize !== size)).toEqual([undefined]);
  });

  test("the disk store creates the month's folder again if it was deleted", async () => {
    const disk = await openDiskStore(folder);
    await disk.write(newFilePath('jpg', now), Buffer.from('x'));
    rmSync(join(folder, '2026'), { recursive: true });
    await expect(disk.write(newFilePath('jpg', now), Buffer.from('x'))).rejects.toThrow();
    expect(listTree(folder)).toEqual([]);
    await disk.write(newFilePath('jpg', now), Buffer.from('x'));
    expect(listTree(folder).length).toBe(1);
  });

  test('the disk store deletes half-written files left by a crash but not those of a running process', async () => {
    await openDiskStore(folder);
    const leftoverFile = join(folder, '.unfinished', 'left');
    writeFileSync(leftoverFile, 'half');
    await openDiskStore(folder, { isInUse: true });
    expect(existsSync(leftoverFile)).toBe(true);
    await openDiskStore(folder);
    expect(existsSync(leftoverFile)).toBe(false);
  });

  test('the disk store leaves no part of a file that could not be moved into place', async () => {
    const disk = await openDiskStore(folder);
    const path = newFilePath('jpg', now);
    mkdirSync(join(folder, path), { recursive: true }); // a folder where the file should go
    await expect(disk.write(path, Buffer.from('x'))).rejects.toThrow();
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a disk store that fails', () => {
  test('a write on a full disk throws 507 and leaves no file', () => {
    // A limit on the size of files has the same effect as a full disk: the write fails in the
    // middle.
    const run = `ulimit -f 64; exec "$0" "$1" "$2" 1000000`;
    const { stdout, stderr } = spawnSync('sh', ['-c', run, process.execPath, writer, folder], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe('rejected 507\n');
    expect(listTree(folder)).toEqual([]);
  });

  test('every file reported as stored on a full disk is complete', async ({ skip }) => {
    const small = mountSmallDisk(join(folder, 'small-disk'), '4m') ?? skip('a disk of its own needs root');
    try {
      const { stdout } = spawnSync(process.execPath, [writer, small.folder, '300000'], { encoding: 'utf8' });
      const lines = stdout.trim().split('\n');
      expect(lines.pop()).toBe('rejected 507');
      expect(lines.length).toBeGreaterThan(5);
      const disk = await openDiskStore(small.folder, { isInUse: true });
      const all = await collect(disk.list());
      expect(all.map((file) => file.path).sort()).toEqual(lines.sort());
      for (const { path } of all) expect((await disk.read(path))?.length).toBe(300_000);
      expect(readdirSync(join(small.folder, '.unfinished'))).toEqual([]);
      await disk.remove(all[0]?.path ?? '');
      await disk.write(newFilePath('jpg', now), Buffer.alloc(200_000));
    } finally {
      small.unmount();
    }
  });

  test('every file reported as stored before the process is killed is complete, and no partial file stays', async () => {
    const size = 1_000_000;
    const messages: string[] = [];
    for (let round = 0; round < 8; round++) {
      const child = spawn(process.execPath, [writer, folder, String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
      messages.push(...(await readLinesUntilKilled(child, 1 + round)));
    }
    const disk = await openDiskStore(folder);
    const all = await collect(disk.list());
    expect(all.map((file) => file.path)).toEqual(expect.arrayContaining(messages));
    for (const { path } of all) expect((await disk.read(path))?.equals(Buffer.alloc(size, 7))).toBe(true);
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([]);
  });

  async function readLinesUntilKilled(child: ChildProcess, after: number) {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      lines.push(line);
      if (lines.length === after) child.kill('SIGKILL');
    }
    return lines;
  }
});
