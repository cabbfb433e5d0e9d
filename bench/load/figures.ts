// Records times and errors of each kind of request, and prints them beside their targets.

type Figures = { times: number[]; waited: number; errors: string[] };

export type Recorder = {
  /** `ms` is the time from the first attempt to the complete response, including Retry-After. */
  addTime(kind: string, ms: number): void;
  /** Call when the server responded with Retry-After. */
  addWait(kind: string): void;
  addError(kind: string, message: string): void;
  /** Returns the errors of every kind of request. */
  listErrors(): { kind: string; reason: string }[];
  /** Prints every kind; those with a target (p95 in ms) show whether it is met. */
  print(targetsMs: Record<string, number>): void;
};

export function createRecorder(): Recorder {
  const kinds = new Map<string, Figures>();
  const getFigures = (kind: string) => {
    const figures = kinds.get(kind) ?? { times: [], waited: 0, errors: [] };
    kinds.set(kind, figures);
    return figures;
  };
  return {
    addTime: (kind, ms) => void getFigures(kind).times.push(ms),
    addWait(kind) {
      getFigures(kind).waited += 1;
    },
    addError: (kind, message) => void getFigures(kind).errors.push(message),
    listErrors: () => [...kinds].flatMap(([kind, { errors }]) => errors.map((message) => ({ kind, reason: message }))),
    print(targetsMs) {
      const rows = [...kinds].map(([kind, { times, waited, errors }]) => {
        times.sort((a, b) => a - b);
        const getPercentile = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
        const targetMs = targetsMs[kind];
        const targetText =
          targetMs === undefined ? '' : `${targetMs} ${getPercentile(0.95) < targetMs ? 'met' : '**not met**'}`;
        return [
          kind,
          times.length,
          getPercentile(0.5),
          getPercentile(0.95),
          getPercentile(0.99),
          getPercentile(1),
          errors.length,
          waited,
          targetText,
        ];
      });
      printTable(['ms', 'calls', 'p50', 'p95', 'p99', 'max', 'errors', 'asked to wait', 'target for p95'], rows);
    },
  };
}

/** A Markdown table whose columns line up. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const table = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, at) => Math.max(3, ...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  console.log(`${lines.join('\n')}\n`);
}
