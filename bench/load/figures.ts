// Records times and errors of each kind of request, and prints them beside their targets.

type Figures = { times: number[]; waited: number; errors: string[] };

export type Recorder = {
  /** `ms` is the time from the first attempt to the complete response, including Retry-After. */
  addTime(kind: string, ms: number): void;
  /** Call when the server responded with Retry-After. */
  addWait(kind: string): void;
  addError(kind: string, message: string): void;
  /** Prints every kind beside its target, and errors. Returns whether a request failed or a target was missed. */
  print(): boolean;
};

/** Maximum milliseconds for 95 % of the requests of a kind. Those that are not here read. */
const targetsMs: Record<string, number> = {
  'sign in': 400,
  'upload a photo, 0.8 MB': 700,
  'upload a signature': 700,
  'submit a report': 150,
  'submit a checklist': 150,
  'create an audit': 150,
  'change an audit': 150,
  'complete an audit': 150,
  'mark all read': 150,
  'sign out': 150,
  'PDF, 10 photos': 2000,
};
const readTargetMs = 100;

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
    print() {
      let hasMissedTarget = false;
      const rows = [...kinds].map(([kind, { times, waited, errors }]) => {
        times.sort((a, b) => a - b);
        const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) =>
          Math.round(times[Math.ceil(times.length * share) - 1] ?? 0),
        ) as [number, number, number, number];
        const targetMs = targetsMs[kind] ?? readTargetMs;
        const isMet = p95 < targetMs && errors.length === 0;
        hasMissedTarget ||= !isMet;
        return [
          kind,
          times.length,
          p50,
          p95,
          p99,
          most,
          errors.length,
          waited,
          `${targetMs}${isMet ? '' : ' **missed**'}`,
        ];
      });
      printTable(['ms', 'calls', 'p50', 'p95', 'p99', 'max', 'errors', 'asked to wait', 'target for p95'], rows);
      for (const [kind, { errors }] of kinds) for (const error of new Set(errors)) console.log(`${kind}: ${error}`);
      return hasMissedTarget;
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
