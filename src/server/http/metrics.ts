// Prometheus metrics on a separate port. Loaded only if METRICS_PORT is set.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { getCounter } from '../db/counters.ts';
import type { Services } from './handler-context.ts';

type Metrics = {
  port: number;
  close(): Promise<void>;
};

/** Observes responses and serves the metrics at `/metrics`. */
export async function startMetricsServer(
  server: FastifyInstance,
  { config, db, files, space, requestTracker }: Omit<Services, 'log'>,
): Promise<Metrics> {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'park_reports_request_seconds',
    help: 'Time to answer, by the route (never the address) and the status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name: `park_reports_${name}`,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  gauge('requests_under_way', 'Requests being answered now', () => requestTracker.inFlight);
  gauge('disk_free_bytes', 'Bytes free on the disk of the data folder', async () => (await space.getSpace()).freeBytes);
  gauge('files_answering', 'Whether the bucket or folder of the photos answers: 1, else 0', async () =>
    Number(await files.isAvailable()),
  );
  gauge('last_backup_seconds', 'When the last good backup was made, in seconds since 1970; 0 for never', () =>
    getCounter(db, 'last backup'),
  );
  server.addHook('onResponse', async (request, reply) =>
    answers.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    ),
  );

  const listener = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(config.metrics.port, config.metrics.host, resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => new Promise((resolve) => listener.close(() => resolve()).closeAllConnections()),
  };
}
