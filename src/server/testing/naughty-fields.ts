// For the tests that send naughty strings in every field: what an endpoint needs, and what to expect.
import { expect } from 'vitest';
import type * as z from 'zod/mini';
import { ApiError } from '#shared/client.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { isStorable } from '#shared/text.ts';
import { assertStrongPassword } from '../auth/passwords.ts';
import { newId } from '../ids.ts';
import type { newReport } from './factories.ts';
import { listFieldPaths } from './fields.ts';
import { toSingleLine } from './naughty-strings.ts';
import type { TestClient, TestServer } from './server.ts';

export type World = {
  server: TestServer;
  admin: TestClient;
  report: Awaited<ReturnType<typeof newReport>>;
  /** Things to send more to. */
  ids: { report: string; folder: string; checklist: string };
};
export type Sent = {
  as: { fetch: typeof fetch };
  params?: Record<string, string>;
  query?: object;
  body?: object;
  username?: string;
};

export type Recipe = {
  /** A good call, to which the odd texts are added. */
  prepare(world: World, at: number): Promise<Sent> | Sent;
  /** The places within a value that the schema leaves open. */
  within?: Record<string, string[]>;
  /** What is refused although the schema would take it. */
  refuses?(place: string, text: string): boolean;
  /** Places that name something, and the answer when there is no such thing. */
  names?: Record<string, number>;
  /** Two texts that are the same here; the second would be taken already. */
  sameAs?: Record<string, (text: string) => string>;
  /** Places whose value the server does not keep. */
  ignored?: string[];
  /** What was kept, by id, in the shape it was sent in. Without it, nothing is kept. */
  kept?(world: World): Promise<Map<string, object>>;
  /** The place of a password, which opens the door afterwards. */
  secret?: string;
  /** Failures are counted per user or network, so each request is another user's. */
  isCounted?: true;
  /** Only one text in so many is sent: it takes long, and the same schema is tried elsewhere or takes no words. */
  oneIn?: number;
  /** The answer to good texts, when it is not that of the row. */
  status?: number;
};

/** A client with its own IP address, because failed sign-ins are counted per network. */
export const fromAddress = (as: { fetch: typeof fetch }, at: number) => ({
  fetch: ((path, init) =>
    as.fetch(path, {
      ...init,
      headers: { ...(init?.headers as object), 'x-forwarded-for': `10.1.${at >> 8}.${at & 255}` },
    })) as typeof fetch,
});

/** Uploads of the Admin's without pictures of their own: the test is about words. */
export async function loosePaths({ server, report }: World, count: number): Promise<string[]> {
  const { path } = report.signature;
  const like = await server.db.selectFrom('uploads').selectAll().where('path', '=', path).executeTakeFirstOrThrow();
  const rows = Array.from({ length: count }, () => ({ ...like, path: `/uploads/2026/01/${newId()}.png` }));
  await server.db
    .insertInto('uploads')
    .values(rows.map((row) => ({ ...row, attached_to: null, attached_id: null })))
    .execute();
  return rows.map((row) => row.path);
}

export const hasQuery = (row: Endpoint): row is Endpoint & { query: z.ZodMiniType } => row.query !== undefined;
export const schemaOf = (row: Endpoint) =>
  (hasQuery(row) ? row.query : isMultipart(row.body) ? row.body.fields : row.body) as z.ZodMiniType;
export const placesOf = (row: Endpoint, { within = {} }: Recipe) =>
  listFieldPaths(schemaOf(row)).flatMap((place) => within[place]?.map((name) => `${place}.${name}`) ?? [place]);

export const freely = ['Ŵyn\'s "<b>" 50% – 🚑', '<i>'.repeat(33)];
/** As a field of free text refuses it: nothing to keep, something that cannot be kept, or too little or too much of it. */
export const mayBeRefused = (text: string) =>
  !isStorable(text) || toSingleLine(text) === '' || [...text].length < 8 || [...text].length > 99;
export const ofManyLines = new Set(['details', 'description', 'data.description', 'data.0']);

/** Whether what was kept is what was typed. Where nothing was typed, nothing has to come back; a form's lines end as ours do. */
export function expectAsTyped(kept: unknown, place: string, typed: string, row: Endpoint) {
  const text = (isMultipart(row.body) ? typed.replace(/\r\n?/g, '\n') : typed).normalize('NFC');
  if (text.trim() === '') return;
  if (typeof kept === 'number') expect(kept).toBe(Number(text));
  else expect([place, kept]).toEqual([place, ofManyLines.has(place) ? text : toSingleLine(text)]);
}

/** An address is refused before anything in it is read. */
export const isTooLong = (row: Endpoint, { query }: Sent) =>
  hasQuery(row) && new URLSearchParams(query as Record<string, string>).toString().length > 1900;

export function expectWords(error: unknown, status: number, text: string): Record<string, string> {
  expect(error, text).toBeInstanceOf(ApiError);
  const refusal = error as ApiError;
  expect([text, refusal.status, refusal.text]).toEqual([text, status, refusal.text]);
  expect(refusal.body).toMatchObject({ success: false, message: expect.stringMatching(/^[A-Z].{3,199}$/) });
  for (const message of [refusal.message, ...Object.values(refusal.fields)])
    expect(message).not.toContain('Invalid input');
  return refusal.fields;
}

const isWeak = (text: string, username = 'x') => {
  try {
    assertStrongPassword(text, username, 'Holiday Parks', 8);
    return false;
  } catch {
    return true;
  }
};
export const isRefusedPassword = (text: string) => isWeak(text) || text.trim() !== text;
