// Programs started from the scripts share this terminal, get its signals, and hand back their exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The clone's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program to its end, in the clone's folder unless told otherwise. Resolves with its exit code: 128 + n when signal n ended it. */
export function run(command, args, { env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd, env: { ...process.env, ...env } });
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const each of signals) process.off(each, pass);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Runs npm: the very npm that started this script, where one did. */
export function npm(args, options) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath } = process.env;
  return cli.endsWith('npm-cli.js') ? run(node, [cli, ...args], options) : run('npm', args, options);
}

/** Ends the script with a sentence for the person at the terminal. */
export function exitWithError(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
