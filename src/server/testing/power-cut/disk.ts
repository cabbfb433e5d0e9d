// Rebuilds disks as a power cut may leave them: with all synced writes, and any part of the other
// writes, by sector and in any order.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordedCall } from './recording.ts';

const sector = 512;

type Change = Extract<RecordedCall, { kind: 'write' | 'truncate' }>;
type NameChange = Exclude<RecordedCall, { kind: 'write' | 'truncate' | 'sync' | 'response' }>;

/** A file: its synced content, and the later writes, which are not synced. */
type File = { synced: Content; since: Change[] };

/** What happens to unsynced writes: all lost, all kept, or a random part of them. */
export type UnsyncedOutcome = 'lost' | 'kept' | 'first few' | 'some writes' | 'some sectors';
export const unsyncedOutcomes: UnsyncedOutcome[] = ['lost', 'kept', 'first few', 'some writes', 'some sectors'];

/**
 * Whether a file is not rebuilt: SQLite recreates its shared memory file, previews may be lost, and
 * lock files have no content.
 */
const isIgnored = (path: string) => /-shm$|\/previews\/|\/lock$|\/lock-journal$|\/\.probe-/.test(path);

/**
 * Replays the recording of `folder`, starting with the files in `base`. A cut is a position in the
 * recording; call `rebuild` with ascending cuts.
 */
export function createDisk(base: string, folder: string, recording: RecordedCall[]) {
  /** The file of each name, as the running system sees it. */
  const files = new Map<string, File>();
  /** The file of each name whose creation, renaming or deletion was synced: as it would be after a cut. */
  const syncedFiles = new Map<string, File>();
  /**
   * Folders created since the recording began. Files in a folder whose creation was not synced are
   * lost too.
   */
  const folders = new Set<string>();
  let unsyncedNameChanges: { call: NameChange; file: File | undefined }[] = [];
  for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(join(base, name)).isFile() || isIgnored(path)) continue;
    const file = { synced: new Content(readFileSync(join(base, name))), since: [] };
    files.set(path, file);
    syncedFiles.set(path, file);
  }
  let next = 0;
  const syncing: (RecordedCall & { kind: 'sync' })[] = [];

  function advanceTo(cut: number): void {
    for (;;) {
      const call = recording[next];
      const endedSyncs = syncing.filter(({ end }) => end <= cut && end <= (call?.start ?? Infinity));
      for (const sync of endedSyncs.sort((a, b) => a.end - b.end)) {
        syncing.splice(syncing.indexOf(sync), 1);
        applySync(sync.path, sync.start);
      }
      if (!call || call.start > cut) return;
      next += 1;
      if (call.kind === 'response' || isIgnored(call.path)) continue;
      if (call.kind === 'sync') syncing.push(call);
      else if (call.kind === 'write' || call.kind === 'truncate') getFileAt(call.path).since.push(call);
      else applyNameChange(call);
    }
  }

  function getFileAt(path: string): File {
    const file = files.get(path);
    if (!file) throw new Error(`${path} was written to before it was there.`);
    return file;
  }

  /** Applies a sync: it covers only writes that had ended when it began. */
  function applySync(path: string, syncStart: number): void {
    const file = files.get(path);
    if (file && !folders.has(path)) {
      for (const change of file.since.filter(({ end }) => end < syncStart)) file.synced.apply(change);
      file.since = file.since.filter(({ end }) => end >= syncStart);
      return;
    }
    const isCovered = (call: NameChange) =>
      dirname(call.kind === 'rename' ? call.to : call.path) === path && call.end < syncStart;
    for (const step of unsyncedNameChanges.filter(({ call }) => isCovered(call))) applyName(syncedFiles, step);
    unsyncedNameChanges = unsyncedNameChanges.filter(({ call }) => !isCovered(call));
  }

  function applyNameChange(call: NameChange): void {
    const isNew = call.kind === 'create' || call.kind === 'makeFolder';
    const file = isNew ? { synced: new Content(), since: [] } : files.get(call.path);
    if (call.kind === 'makeFolder') folders.add(call.path);
    unsyncedNameChanges.push({ call, file });
    applyName(files, { call, file });
  }

  return {
    /** Writes the disk after a cut at this position into `target`. `random` returns numbers below 1. */
    rebuild(target: string, cut: number, outcome: UnsyncedOutcome, random: () => number): void {
      advanceTo(cut);
      const names = new Map(syncedFiles);
      const steps =
        outcome === 'lost'
          ? []
          : outcome === 'kept'
            ? unsyncedNameChanges
            : unsyncedNameChanges.slice(0, Math.floor(random() * (unsyncedNameChanges.length + 1)));
      for (const step of steps) applyName(names, step);
      for (const [path, file] of names) {
        if (folders.has(path) || [...folders].some((above) => path.startsWith(`${above}/`) && !names.has(above)))
          continue;
        const targetPath = join(target, path.slice(folder.length));
        mkdirSync(dirname(targetPath), { recursive: true });
        writeFileSync(targetPath, rebuildFile(file, outcome, random));
      }
    },
  };
}

function applyName(names: Map<string, File>, { call, file }: { call: NameChange; file: File | undefined }): void {
  if (call.kind === 'remove' || call.kind === 'rename') names.delete(call.path);
  if (call.kind !== 'remove' && file) names.set(call.kind === 'rename' ? call.to : call.path, file);
}

function rebuildFile({ synced, since }: File, outcome: UnsyncedOutcome, random: () => number): Buffer {
  if (outcome === 'lost' || since.length === 0) return synced.bytes();
  const content = new Content(synced.bytes());
  const keptCount = Math.floor(random() * (since.length + 1));
  const share = random();
  for (const [index, change] of since.entries()) {
    if (outcome === 'first few' && index >= keptCount) break;
    if (outcome === 'some writes' && random() >= share) continue;
    for (const part of outcome === 'some sectors' ? splitIntoSectors(change).filter(() => random() < share) : [change])
      content.apply(part);
  }
  return content.bytes();
}

/** What one write or truncate changes on the disk, as a whole or per sector. */
type DiskChange = { kind: 'write'; offset: number; data: Buffer } | { kind: 'truncate'; size: number };

/** Splits a write into sectors; a disk writes each completely or not at all. */
function splitIntoSectors(change: DiskChange): DiskChange[] {
  if (change.kind === 'truncate') return [change];
  const parts: DiskChange[] = [];
  for (let at = 0; at < change.data.length; ) {
    const size = Math.min(sector - ((change.offset + at) % sector), change.data.length - at);
    parts.push({ kind: 'write', offset: change.offset + at, data: change.data.subarray(at, at + size) });
    at += size;
  }
  return parts;
}

/** The content of a file, in a buffer that may be longer. */
class Content {
  #room: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#room = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  bytes = () => this.#room.subarray(0, this.#size);

  apply(part: DiskChange): void {
    this.#resize(part.kind === 'truncate' ? part.size : Math.max(this.#size, part.offset + part.data.length));
    if (part.kind === 'write') part.data.copy(this.#room, part.offset);
  }

  #resize(size: number): void {
    if (size > this.#room.length) this.#room = Buffer.concat([this.bytes()], size * 2);
    // Fill the truncated part with zeros, which a file contains where it grows again.
    if (size < this.#size) this.#room.fill(0, size, this.#size);
    this.#size = size;
  }
}
