// Times and errors of each kind of request, printed as a table beside the targets.

type Figures = { times: number[]; waited: number; errors: string[] };

export type Recorder = {
  /** `ms` is the time from the first attempt to the complete response, including Retry-After. */
  took(kind: string, ms: number): void;
  waited(kind: string): void;
  failed(kind: string, message: string): void;
  /** Totals of all kinds. */
  errors(): { kind: string; reason: string }[];
  /** Prints every kind; those with a target (p95 in ms) show whether it is met. */
  print(aims: Record<string, number>): void;
};

export function createRecorder(): Recorder {
  const kinds = new Map<string, Figures>();
  const getFigures = (kind: string) => {
    const figures = kinds.get(kind) ?? { times: [], waited: 0, errors: [] };
    kinds.set(kind, figures);
    return figures;
  };
  return {
    took: (kind, ms) => void getFigures(kind).times.push(ms),
    waited(kind) {
      getFigures(kind).waited += 1;
    },
    failed: (kind, message) => void getFigures(kind).errors.push(message),
    errors: () => [...kinds].flatMap(([kind, { errors }]) => errors.map((message) => ({ kind, reason: message }))),
    print(aims) {
      const rows = [...kinds].map(([kind, { times, waited, errors }]) => {
        times.sort((a, b) => a - b);
        const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
        const aim = aims[kind];
        const targetText = aim === undefined ? '' : `${aim} ${at(0.95) < aim ? 'met' : '**not met**'}`;
        return [kind, times.length, at(0.5), at(0.95), at(0.99), at(1), errors.length, waited, targetText];
      });
      printTable(['ms', 'calls', 'p50', 'p95', 'p99', 'max', 'errors', 'asked to wait', 'aim for p95'], rows);
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
