// Runs an operator's command: prints the result, or one sentence about the error and exits with 1.
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../config.ts';

// The program that reads the output has ended, as `head` does after some lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

export const print = (text: string) => process.stdout.write(`${text}\n`);

type Command = {
  usage: string;
  /** The number of arguments, without options. */
  argumentCount: number;
  options?: Record<string, { type: 'boolean' | 'string' }>;
  run(config: Config, args: string[], options: Record<string, string | boolean | undefined>): Promise<void>;
};

/** Runs a command with the settings from the environment. */
export async function runCommand({ usage, argumentCount, options = {}, run }: Command): Promise<void> {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== argumentCount) throw new Error(`Usage: ${usage}`);
    await run(parseConfig(), positionals, values);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
