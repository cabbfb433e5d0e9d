// Runs programs in this terminal, forwards signals, and returns their exit codes.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program in the repository's folder by default. Resolves with its exit code: 128 + n if
 * ended by signal n.
 */
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

/** Runs npm, the same one that started this script if any. */
export function npm(args, options) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath } = process.env;
  return cli.endsWith('npm-cli.js') ? run(node, [cli, ...args], options) : run('npm', args, options);
}

/** Ends the script with a message. */
export function exitWithError(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
