// Measures the server from outside: memory from the kernel, the event loop from its Prometheus
// metrics.
import { readFile } from 'node:fs/promises';
import { median } from '../median.ts';

const MiB = 2 ** 20;

/** In MB. */
type Memory = { server: number; children: number };

/** Measures memory every second until stopped. Linux only; elsewhere all values are 0. */
export function watchMemory(pid: number) {
  const samples: Memory[] = [];
  const sampleMemory = async () => void samples.push(await readMemory(pid));
  const timer = setInterval(sampleMemory, 1000);
  return {
    /** The median of the last ten seconds, so that a garbage collection does not count. */
    getCurrent: () => ({
      server: median(samples.slice(-10).map(({ server }) => server)),
      children: median(samples.slice(-10).map(({ children }) => children)),
    }),
    /** The maximum so far, including child processes. */
    getMaximumMb: () => Math.max(0, ...samples.map(({ server, children }) => server + children)),
    stop: () => clearInterval(timer),
  };
}

/** Returns the resident memory of the process, and what its children use in addition, in MB. */
export async function readMemory(pid: number): Promise<Memory> {
  const readMegabytes = async (file: string, entry: string) => {
    const text = await readFile(`/proc/${file}`, 'utf8').catch(() => '');
    return (Number(new RegExp(`^${entry}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024) / MiB;
  };
  // Each thread lists the processes that it started; Node starts child processes from its first
  // thread.
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = list.split(' ').filter(Boolean);
  const childSizes = await Promise.all(children.map((child) => readMegabytes(`${child}/smaps_rollup`, 'Pss')));
  return {
    server: await readMegabytes(`${pid}/status`, 'VmRSS'),
    children: childSizes.reduce((sum, size) => sum + size, 0),
  };
}

/** Reads the event loop lag in ms since the last call, including the clock's 10 ms. */
export async function readEventLoopLag(metricsPort: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const read = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
  return { p99: read('p99'), max: read('max') };
}
