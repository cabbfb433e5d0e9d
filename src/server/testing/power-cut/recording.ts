// The system calls of a server in order, from strace's log.
import { createReadStream, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** `start` and `end` are positions in the log; a call with end > cut was unfinished at the cut. */
export type RecordedCall = { start: number; end: number } & SystemCall;
type SystemCall =
  | { kind: 'write'; path: string; offset: number; data: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'sync'; path: string }
  | { kind: 'create'; path: string }
  | { kind: 'makeFolder'; path: string }
  | { kind: 'remove'; path: string }
  | { kind: 'rename'; path: string; to: string }
  /** The first bytes of a response, to the client's port. */
  | { kind: 'response'; port: number };

const tracedCalls =
  'openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,truncate,ftruncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,copy_file_range,sendfile';

/**
 * Returns the command that runs a program and records its system calls until its last child process
 * has ended.
 */
export const getRecorderCommand = (log: string) =>
  `strace -f -q --seccomp-bpf -e signal=none -yy -xx -s 1048576 -e trace=${tracedCalls} -o ${log}`.split(' ');

type StartedCall = { name: string; args: string; start: number };

/**
 * Parses strace's log.
 *
 * @param base a copy of the folder from before the recording
 * @returns the calls that changed files in the folder, and the responses that the server sent
 */
export async function readRecording(log: string, base: string, folder: string): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  const unfinishedCalls = new Map<string, StartedCall>();
  const existing = new Set(readdirSync(base, { recursive: true }).map((name) => `${folder}/${name}`));
  /** The write positions of files written sequentially. */
  const writePositions = new Map<string, number>();
  let position = 0;
  /**
   * A call without a result, because the process ended during it, may have completed at any time.
   */
  const getEnd = (text: string) => (/= \?\s*$/.test(text) ? Infinity : position);
  for await (const line of createInterface({ input: createReadStream(log) })) {
    position += 1;
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    const resumedCall = /^<\.\.\. \w+ resumed>/.exec(rest);
    if (resumedCall) {
      const call = unfinishedCalls.get(thread);
      unfinishedCalls.delete(thread);
      const text = rest.slice(resumedCall[0].length);
      if (call) recordCall(call.name, call.args + text, call.start, getEnd(text));
      continue;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (!name) continue;
    const args = rest.slice(name.length + 1);
    if (args.endsWith('<unfinished ...>'))
      unfinishedCalls.set(thread, { name, args: args.slice(0, -'<unfinished ...>'.length), start: position });
    else recordCall(name, args, position, getEnd(args));
  }
  for (const { name, args, start } of unfinishedCalls.values())
    recordCall(name, `${args}) = ? unfinished`, start, Infinity);
  return calls.sort((a, b) => a.start - b.start);

  function recordCall(name: string, text: string, start: number, end: number): void {
    const isDone = end !== Infinity;
    const result = isDone ? Number(/\)\s+= (-?\d+)/.exec(text.slice(text.lastIndexOf(')')))?.[1] ?? Number.NaN) : 0;
    if (result < 0 || Number.isNaN(result)) return;
    const at = { start, end };
    const port = /^\d+<TCP(?:v6)?:\[[^\]]*?->[^\]]*?:(\d+)\]>/.exec(text)?.[1];
    if (port) {
      const first = parseBytes(text.slice(0, 200)).subarray(0, 5).toString('latin1');
      if (first === 'HTTP/') calls.push({ ...at, kind: 'response', port: Number(port) });
      return;
    }
    if (/^(?:rename|link)/.test(name)) {
      const [from = '', to = ''] = listPathsIn(text);
      if (!name.startsWith('rename')) throw new Error(`Not understood: ${name}`);
      if (from.startsWith(folder)) calls.push({ ...at, kind: 'rename', path: from, to });
      existing.delete(from);
      existing.add(to);
      return;
    }
    if (/^(?:open|creat|unlink|mkdir)/.test(name)) {
      const [path = ''] = listPathsIn(text);
      if (!path.startsWith(folder)) return;
      if (name.startsWith('unlink')) {
        existing.delete(path);
        calls.push({ ...at, kind: 'remove', path });
      } else if (name.startsWith('mkdir')) calls.push({ ...at, kind: 'makeFolder', path });
      else {
        if (text.includes('O_CREAT') && !existing.has(path)) calls.push({ ...at, kind: 'create', path });
        existing.add(path);
        if (text.includes('O_TRUNC')) calls.push({ ...at, kind: 'truncate', path, size: 0 });
      }
      return;
    }
    const path = fromHex(/^\d+<([^>]*)>/.exec(text)?.[1] ?? '').toString();
    if (!path.startsWith(`${folder}/`) && path !== folder) return;
    if (name === 'fsync' || name === 'fdatasync') calls.push({ ...at, kind: 'sync', path });
    else if (name === 'ftruncate')
      calls.push({ ...at, kind: 'truncate', path, size: Number(/, (\d+)/.exec(text)?.[1]) });
    else if (name === 'pwrite64') {
      const data = parseBytes(text);
      calls.push({ ...at, kind: 'write', path, data, offset: Number(/", \d+, (\d+)/.exec(text)?.[1]) });
    } else if (name === 'write') {
      const data = parseBytes(text);
      calls.push({ ...at, kind: 'write', path, data, offset: writePositions.get(path) ?? 0 });
      writePositions.set(path, (writePositions.get(path) ?? 0) + data.length);
    } else if (!path.endsWith('-shm')) throw new Error(`Not understood: ${name} of ${path}`);
  }
}

const fromHex = (text: string) => Buffer.from(text.replaceAll('\\x', ''), 'hex');

/** Returns the bytes of a string argument. */
function parseBytes(text: string): Buffer {
  const from = text.indexOf('"') + 1;
  const to = text.indexOf('"', from);
  return fromHex(text.slice(from, to < 0 ? undefined : to));
}

const listPathsIn = (text: string) => [...text.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => fromHex(hex).toString());
