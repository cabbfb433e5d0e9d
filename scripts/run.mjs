// Runs programs in this terminal, forwards signals, and returns their exit codes.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program in the repository's folder by default. Resolves with its exit code: 128 + n if
 * ended by signal n. With `onOutput` its output goes there instead of to the terminal.
 */
export function run(command, args, { env = {}, cwd = root, onOutput } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { stdio, cwd, env: { ...process.env, ...env } });
    for (const stream of onOutput ? [child.stdout, child.stderr] : []) stream.setEncoding('utf8').on('data', onOutput);
    const forwardSignal = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forwardSignal);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, forwardSignal);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Runs npm, the same one that started this script if any. */
export function npm(args, options) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath } = process.env;
  return cli.endsWith('npm-cli.js') ? run(node, [cli, ...args], options) : run('npm', args, options);
}

/** Runs `task` with options of `run` that keep its output; prints it only if the exit code that `task` resolves with is not 0. */
export async function runQuietly(task) {
  let output = '';
  const code = await task({
    onOutput: (text) => {
      output += text;
    },
  });
  if (code !== 0) console.error(output);
  return code;
}

/** Ends the script with a message. */
export function exitWithError(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
