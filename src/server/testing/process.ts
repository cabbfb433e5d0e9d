// Runs the server as a separate process, which can be signalled and killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testSettings } from './settings.ts';

const main = join(import.meta.dirname, '../main.ts');

/** The folder of Node's compile cache, as in scripts/start.mjs. */
const compileCacheFolder = join(import.meta.dirname, '../../../node_modules/.cache/node');

export type ServerProcess = {
  url: string;
  child: ChildProcess;
  /** Returns the output so far, on both streams. */
  output(): string;
  /** Sends the signal; resolves with the exit code or the signal that ended it, once its output is complete. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Kills it, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

type StartOptions = {
  /** The limit of open files. */
  openFiles?: number;
  /** Options for Node. */
  flags?: string[];
  /** A command that runs the server as its only child; signals go to the server. */
  wrapperCommand?: string[] | undefined;
};

/**
 * Starts a server with the test settings; resolves when it responds, or rejects with its output.
 */
export async function startProcess(
  settings: Record<string, string>,
  { openFiles, flags = [], wrapperCommand }: StartOptions = {},
): Promise<ServerProcess> {
  const command = openFiles ? ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`] : wrapperCommand;
  const { child, output } = spawnProgram(
    [...flags, main],
    // With one listener, its port is that of the app.
    { ...testSettings, GUEST_REPORTS: '', UPLOADS_PER_DAY: '1000000', ...settings },
    command,
  );
  // Wait for `close`, because the last output may arrive after `exit`.
  const closeEvent = once(child, 'close');
  const url = await Promise.race([
    closeEvent.then(() => undefined),
    new Promise<string>((resolve) => {
      const checkOutput = () => {
        const port = /Ready at \S+?:(\d+)/.exec(output())?.[1] ?? /listening at \S+?:(\d+)/.exec(output())?.[1];
        if (!port) return;
        child.stdout?.off('data', checkOutput);
        resolve(`http://127.0.0.1:${port}`);
      };
      child.stdout?.on('data', checkOutput);
    }),
  ]);
  if (!url) throw new Error(output());
  async function end(signal: NodeJS.Signals = 'SIGTERM') {
    if (wrapperCommand)
      process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), signal);
    else child.kill(signal);
    const [code, by] = (await closeEvent) as [number | null, NodeJS.Signals];
    return code ?? by;
  }
  return {
    ...{ url, child, output, end },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

/**
 * Runs one of the product's programs to its end. `onStart` receives the process, for example to
 * kill it.
 */
export async function runProgram(
  args: string[],
  settings: Record<string, string> = {},
  onStart: (child: ChildProcess) => void = () => {},
) {
  const { child, output } = spawnProgram(args, settings);
  onStart(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

function spawnProgram(args: string[], settings: Record<string, string>, wrapperCommand: string[] = []) {
  const { PATH = '', TMPDIR = '' } = process.env;
  const [program, ...programArguments] = [...wrapperCommand, process.execPath, ...args] as [string, ...string[]];
  const child = spawn(program, programArguments, {
    env: { PATH, NODE_COMPILE_CACHE: compileCacheFolder, ...(TMPDIR && { TMPDIR }), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  return { child, output: () => text };
}
