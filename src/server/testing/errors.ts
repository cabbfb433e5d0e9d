// What every error of the server has in common.
import { expect } from 'vitest';
import type { RawResponse } from './raw.ts';

const innards =
  /fastify|FST_|ERR_|HPE_|zod|sqlite|kysely|node_modules|busboy|\bat \/|\/src\/|select |syntaxerror|unexpected token/i;

/** It has the one form of errors, and reveals nothing about the server's software. */
export function expectError({ status, headers, body }: RawResponse, wanted: number) {
  expect({ status, body }).toMatchObject({ status: wanted });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const refusal = JSON.parse(body);
  expect(refusal).toMatchObject({
    success: false,
    message: expect.stringMatching(/^[A-Z].{3,199}$/),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId: expect.stringMatching(/^[a-z2-7]{26}$/),
  });
  // A random id may happen to spell one of these words.
  expect(body.replace(refusal.requestId, '')).not.toMatch(innards);
}

export async function answerOf(response: Response): Promise<RawResponse> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
