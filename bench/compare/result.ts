// Prints results and writes them to a file after each part. Each target becomes a row of the table
// at the start of the file.
import { writeFileSync } from 'node:fs';

/**
 * One row of the table of targets. `share` is the product's measurement relative to PocketBase's.
 */
type TargetRow = {
  measurement: string;
  target: string;
  product: string;
  pocketBase?: string;
  share?: string;
  isMet: boolean;
};

export type Result = {
  /** Prints a line and adds it to the file. */
  print(line: string): void;
  addTargetRow(row: TargetRow): void;
  /** Runs a part. If it fails, the file says so and the next part runs. */
  runPart(name: string, part: () => Promise<void>): Promise<void>;
  /** Returns whether all parts succeeded. */
  end(): boolean;
};

export const formatMs = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
export const formatTimes = (value: number) => `${value.toFixed(2)}×`;

export function createResult(file: string, heading: string): Result {
  const startedAt = performance.now();
  const [lines, durations, failed]: [string[], string[], string[]] = [[], [], []];
  const targetRows: TargetRow[] = [];

  function write(): void {
    const table = targetRows.map(
      ({ measurement, target, product, pocketBase = '', share = '', isMet }) =>
        `| ${measurement} | ${target} | ${product} | ${pocketBase} | ${share} | ${isMet ? 'yes' : '**no**'} |`,
    );
    const head = ['| | target | the product | PocketBase | ratio | met |', '|---|---|---|---|---|---|'];
    writeFileSync(file, [heading, '', ...head, ...table, '', ...failed, ...lines, '', ...durations, ''].join('\n'));
  }

  function print(line: string): void {
    console.log(line);
    lines.push(line);
  }

  console.log(heading);
  return {
    print,
    addTargetRow: (row) => void targetRows.push(row),
    async runPart(name, part) {
      const started = performance.now();
      try {
        await part();
      } catch (error) {
        const { message, stack } = error as Error;
        console.error(stack);
        failed.push(`**${name} failed: ${message}**`, '');
      }
      durations.push(`- ${name}: ${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
      write();
    },
    end() {
      print(`\nAll of this took ${((performance.now() - startedAt) / 60_000).toFixed(0)} minutes.`);
      write();
      console.log(`The result is in ${file}.`);
      return failed.length === 0;
    },
  };
}
