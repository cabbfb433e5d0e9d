// Assertions that hold for every error of the server.
import { expect } from 'vitest';
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
