// How the operator's commands speak: what was done on the way out, or one sentence of what is wrong and an exit code of 1.
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../config.ts';

export const print = (text: string) => process.stdout.write(`${text}\n`);

type Command = {
  usage: string;
  /** How many arguments it takes, options apart. */
  takes: number;
  options?: Record<string, { type: 'boolean' | 'string' }>;
  run(config: Config, args: string[], options: Record<string, string | boolean | undefined>): Promise<void>;
};

/** Runs a command on the installation that the settings name. */
export async function runCommand({ usage, takes, options = {}, run }: Command): Promise<void> {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== takes) throw new Error(`Usage: ${usage}`);
    await run(parseConfig(), positionals, values);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
