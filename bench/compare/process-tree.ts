// CPU time and memory of a process and its descendants, on Linux.
import { readdirSync, readFileSync } from 'node:fs';

const msPerTick = 10; // Linux counts 100 ticks a second everywhere

/** Returns the ids of a process and its descendants. */
function readTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = pid ? readStat(pid) : undefined;
    if (stat) parents.set(pid, Number(stat[1]));
  }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

/** Returns the fields of /proc/PID/stat after the name; undefined if the process has ended. */
function readStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns the CPU time so far, including that of ended children. */
export function readCpuMs(root: number): number {
  let cpuTicks = 0;
  for (const pid of readTree(root)) {
    const stat = readStat(pid);
    if (stat) cpuTicks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
  }
  return cpuTicks * msPerTick;
}

/**
 * Returns the resident memory of a process plus the proportional share of each descendant: what they
 * have in common, such as the program itself, counts once.
 */
function readMemoryMb(root: number): number {
  const [first = root, ...descendants] = readTree(root);
  return (
    readMb(`/proc/${first}/status`, 'VmRSS') +
    descendants.reduce((sum, pid) => sum + readMb(`/proc/${pid}/smaps_rollup`, 'Pss'), 0)
  );
}

/** Returns a field of a file in /proc; 0 if the process has ended. */
function readMb(path: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Measures the memory of a process and its descendants until `end`, which returns the maximum in MB. */
export function watchPeakMemory(root: number): { end(): number } {
  let maximum = 0;
  const sample = () => {
    maximum = Math.max(maximum, readMemoryMb(root));
  };
  sample();
  const timer = setInterval(sample, 250);
  return {
    end() {
      sample();
      clearInterval(timer);
      return maximum;
    },
  };
}
