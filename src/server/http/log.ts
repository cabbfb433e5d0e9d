// The log: one line of JSON per response, with the id shown to the user, and no personal data.
import type { FastifyInstance, FastifyServerOptions } from 'fastify';

type LoggedError = Error & { code?: string; detail?: unknown };

/**
 * Returns what is logged of an error: where it happened, without its data. Leaves out PostgreSQL's
 * messages, because they repeat the values of a row.
 */
function describeError(error: LoggedError) {
  const stackFrames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const isPostgresError = 'severity' in error;
  return {
    type: error.name,
    ...(error.code && { code: error.code }),
    ...(!isPostgresError && { message: error.message }),
    stack: stackFrames?.join('\n') ?? '',
    ...(error.cause instanceof Error && { cause: (error.cause as LoggedError).code ?? error.cause.name }),
  };
}

/** A line of the log for a person: of warnings and errors only. */
export function describeLogLine(line: string): string {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
  if (level < 40) return '';
  return `${level < 50 ? 'Warning' : 'Error'}: ${[msg, err?.message].filter((text) => text && text !== '').join(': ')}\n`;
}

/** JSON, unless a person reads it: a terminal gets warnings and errors, as sentences. */
export const createLoggerOptions = (level: string): FastifyServerOptions['logger'] => ({
  level,
  ...(process.stdout.isTTY && { stream: { write: (line) => process.stdout.write(describeLogLine(line)) } }),
  serializers: { err: describeError as never },
  // At debug level Fastify's plugins log request headers, which include the session cookie.
  redact: { paths: ['headers', '*.headers'], remove: true },
});

export function registerRequestLog(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  // The client closed the connection, which is no error of the server.
  server.addHook('onRequestAbort', async (request) => {
    request.log.info({ method: request.method, route: request.routeOptions.url }, 'cut off');
  });
}
