// What the log says: a line of JSON for each answer, with the id that the person was shown, and nothing that tells of a person.
import type { FastifyInstance, FastifyServerOptions } from 'fastify';

type LoggedError = Error & { code?: string; detail?: unknown };

/** Where it broke, without what it broke on: PostgreSQL's words repeat the values of a row. */
function describeError(error: LoggedError) {
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const isAboutRow = 'severity' in error;
  return {
    type: error.name,
    ...(error.code && { code: error.code }),
    ...(!isAboutRow && { message: error.message }),
    stack: frames?.join('\n') ?? '',
    ...(error.cause instanceof Error && { cause: (error.cause as LoggedError).code ?? error.cause.name }),
  };
}

export const createLoggerOptions = (level: string): FastifyServerOptions['logger'] => ({
  level,
  serializers: { err: describeError as never },
  // Fastify's plugins, at their most talkative, write a request's headers out: its cookie is a key to the door.
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
}
