// Sends requests as fast as the server responds, over a few open connections.
import { Agent, request } from 'node:http';

export type BenchRequest = { method: string; path: string; headers?: Record<string, string>; body?: string };

function sendOnce(agent: Agent, url: string, { method, path, headers, body }: BenchRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url + path,
      { method, agent, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    clientRequest.once('error', reject);
    clientRequest.end(body);
  });
}

/**
 * Sends `count` requests created by `createRequest`, `maxConcurrent` at a time. Returns requests
 * per second; throws on an error.
 */
export async function measureRate(
  url: string,
  count: number,
  maxConcurrent: number,
  createRequest: (index: number) => BenchRequest,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: maxConcurrent });
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const status = await sendOnce(agent, url, createRequest(next++));
      if (status >= 300) throw new Error(`${url} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  agent.destroy();
  return count / ((performance.now() - started) / 1000);
}

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
