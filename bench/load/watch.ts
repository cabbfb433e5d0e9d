// The server seen from outside: its memory by the kernel, its event loop by its own figures for Prometheus.
import { readFile } from 'node:fs/promises';
import { median } from '../rate.ts';

const MiB = 2 ** 20;

export type Memory = { server: number; children: number };

/** Looks at the memory every second until told to stop. Linux only; elsewhere all is 0. */
export function watchMemory(pid: number) {
  const seen: Memory[] = [];
  const look = async () => void seen.push(await memoryOf(pid));
  const timer = setInterval(look, 1000);
  return {
    /** The latest ten seconds' median, so that one collection of garbage more or less does not count. */
    now: () => ({
      server: median(seen.slice(-10).map(({ server }) => server)),
      children: median(seen.slice(-10).map(({ children }) => children)),
    }),
    /** The most there ever was, children and all. */
    most: () => Math.max(0, ...seen.map(({ server, children }) => server + children)),
    stop: () => clearInterval(timer),
  };
}

/** In MB: what is resident of the process, and what those that it started use beside it (what they share is counted once). */
export async function memoryOf(pid: number): Promise<Memory> {
  const megabytes = async (file: string, entry: string) => {
    const text = await readFile(`/proc/${file}`, 'utf8').catch(() => '');
    return (Number(new RegExp(`^${entry}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024) / MiB;
  };
  // Each thread lists the processes that it started; Node starts them from its first.
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = list.split(' ').filter(Boolean);
  const sizes = await Promise.all(children.map((child) => megabytes(`${child}/smaps_rollup`, 'Pss')));
  return { server: await megabytes(`${pid}/status`, 'VmRSS'), children: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Milliseconds that the event loop was late since this was last read. Its clock ticks every 10 ms, which are in it. */
export async function eventLoopLag(metricsUrl: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(metricsUrl)).text();
  const read = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
  return { p99: read('p99'), max: read('max') };
}
