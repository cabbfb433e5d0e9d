// Sends requests over open connections, and measures their time and the server's CPU time.
import { Agent, request } from 'node:http';
import { median } from '../median.ts';
import { readCpuMs } from './process-tree.ts';

export type RequestToSend = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};
export type Target = { url: string; pid: number };
/** Requests per second, CPU milliseconds per request, and percentiles of the time in milliseconds. */
export type Figures = { perSecond: number; cpuMs: number; p50: number; p99: number };

/** Returns the median of each figure. */
export const medianFigures = (all: Figures[]): Figures => ({
  perSecond: median(all.map((figures) => figures.perSecond)),
  cpuMs: median(all.map((figures) => figures.cpuMs)),
  p50: median(all.map((figures) => figures.p50)),
  p99: median(all.map((figures) => figures.p99)),
});

/** A server that never responds must not block an unattended run. */
const responseTimeoutMs = 120_000;

function send(agent: Agent, url: string, { method = 'GET', path, headers, body }: RequestToSend): Promise<string> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url + path,
      {
        method,
        agent,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (part: Buffer) => chunks.push(part));
        response.once('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve('');
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${Buffer.concat(chunks)}`));
        });
      },
    );
    clientRequest.once('error', reject);
    clientRequest.setTimeout(responseTimeoutMs, () =>
      clientRequest.destroy(new Error(`${method} ${path}: no response`)),
    );
    clientRequest.end(body);
  });
}

export const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Sends `count` requests created by `createRequest`, `maxConcurrent` at a time. Throws at the first
 * error.
 */
export async function measure(
  { url, pid }: Target,
  count: number,
  maxConcurrent: number,
  createRequest: (index: number) => RequestToSend,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: maxConcurrent });
  const times: number[] = [];
  let nextIndex = 0;
  const cpuBefore = readCpuMs(pid);
  const started = performance.now();
  const worker = async () => {
    while (nextIndex < count) {
      const startedAt = performance.now();
      await send(agent, url, createRequest(nextIndex++));
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  const elapsed = performance.now() - started;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: (count / elapsed) * 1000,
    // Includes work after the responses: previews and syncs.
    cpuMs: (readCpuMs(pid) - cpuBefore) / count,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** Repeats a request for four seconds while other requests run. Returns the sorted times in milliseconds. */
export async function measureDuringLoad(
  target: Target,
  repeatedRequest: RequestToSend,
  runOtherRequests: (isOver: () => boolean) => Promise<void>,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isOver = false;
  const otherRequests = runOtherRequests(() => isOver);
  // Errors of the other requests are thrown at the end.
  otherRequests.catch(() => undefined);
  const endTime = performance.now() + 4000;
  try {
    while (performance.now() < endTime) {
      const startedAt = performance.now();
      await send(agent, target.url, repeatedRequest);
      times.push(performance.now() - startedAt);
    }
  } finally {
    isOver = true;
    await otherRequests;
    agent.destroy();
  }
  return times.sort((a, b) => a - b);
}

/** Keeps this many requests in flight until the end; 503 and 429 are expected. */
export async function keepRequesting(
  { url }: Target,
  maxConcurrent: number,
  isOver: () => boolean,
  createRequest: (index: number) => RequestToSend,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: maxConcurrent });
  let nextIndex = 0;
  const worker = async () => {
    while (!isOver())
      await send(agent, url, createRequest(nextIndex++)).catch((error: Error) => {
        if (!/: (?:429|503|422|400) /.test(error.message)) throw error;
      });
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  agent.destroy();
}
