// Assertions that hold for every error of the server.
import { expect } from 'vitest';
import type { ApiError } from '#shared/client.ts';
import type { RawResponse } from './raw.ts';

const internalWords =
  /fastify|FST_|ERR_|HPE_|zod|sqlite|kysely|node_modules|busboy|\bat \/|\/src\/|select |syntaxerror|unexpected token/i;

/** Expects the standard error body, and nothing that reveals the server's software. */
export function expectError({ status, headers, body }: RawResponse, expectedStatus: number) {
  expect({ status, body }).toMatchObject({ status: expectedStatus });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const errorBody = JSON.parse(body);
  expect(errorBody).toMatchObject({
    success: false,
    message: expect.stringMatching(/^[A-Z].{3,199}$/),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId: expect.stringMatching(/^[a-z2-7]{26}$/),
  });
  // A random id may contain one of these words.
  expect(body.replace(errorBody.requestId, '')).not.toMatch(internalWords);
}

export async function readResponse(response: Response): Promise<RawResponse> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** The error with which a call is rejected. Fails if the call succeeds. */
export const getError = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('was not rejected'),
    (error: ApiError) => error,
  );

/** Status and message of the error with which a call is rejected. */
export const describeError = async (call: Promise<unknown>) => {
  const { status, message } = await getError(call);
  return `${status} ${message}`;
};
