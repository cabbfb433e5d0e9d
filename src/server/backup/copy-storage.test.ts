// What copying storage checks. src/server/multi-instance.test.ts copies a whole installation.
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type FileStore, openDiskStore } from '../files/store.ts';
import { uploadPhoto } from '../testing/factories.ts';
import { startTestServer } from '../testing/server.ts';
import { copyFiles, copyRows } from './copy-storage.ts';

test('a copy that cannot be complete says why', async () => {
  await using server = await startTestServer('sqlite');
  const stored = new Map<string, Buffer>();
  const store = (read: (name: string) => Buffer | undefined) =>
    ({
      read: async (name: string) => read(name),
      write: async (name: string, bytes: Buffer) => void stored.set(name, bytes),
    }) as unknown as FileStore;
  const [empty, damaged] = [store((name) => stored.get(name)), store(() => Buffer.from('other'))];
  await uploadPhoto(await server.as('None'));
  const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
  await expect(copyFiles(server.db, empty, empty)).rejects.toThrow('is missing or damaged');
  await expect(copyFiles(server.db, damaged, empty)).rejects.toThrow('is missing or damaged');
  expect(stored.size).toBe(0);
  await expect(copyFiles(server.db, files, damaged)).rejects.toThrow('differs from the original');
  stored.clear();
  expect(await copyFiles(server.db, files, empty)).toBe(1);
  expect(stored.size).toBe(1);
  await expect(copyRows(server.db, server.db)).rejects.toThrow('to PostgreSQL only');
  await sql`create table visits (id text primary key, session text references sessions (token))`.execute(server.db);
  await expect(copyRows(server.db, server.db)).rejects.toThrow('visits refers to sessions, which must not be copied.');
});
