// For tests that send naughty strings in every field: what each endpoint needs and is expected to do.
import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { EndpointName } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { isStorable } from '#shared/text.ts';
import { assertStrongPassword } from '../sign-in/session/passwords.ts';
import { assessedReport, checklist, folder, ownPark, type RecordKind, report } from './access-records.ts';
import { endpointCases } from './endpoint-cases.ts';
import type { newReport } from './factories.ts';
import { listFieldPaths } from './fields.ts';
import { toSingleLine } from './naughty-strings.ts';
import type { TestClient, TestServer } from './server.ts';

export type TestContext = {
  server: TestServer;
  admin: TestClient;
  report: Awaited<ReturnType<typeof newReport>>;
  /** Ids of existing records. */
  ids: { report: string; folder: string; checklist: string };
};
export type TestRequest = {
  client: { fetch: typeof fetch };
  params?: Record<string, string>;
  query?: object;
  body?: object;
  username?: string;
};

export type FieldTest = {
  /**
   * Returns a request, to which a string is added, if it is not the Admin's valid one; `at` is the number of the
   * request.
   */
  prepare?(context: TestContext, at: number): Promise<TestRequest> | TestRequest;
  /** Fields of the body that the valid request lacks or has with other values. */
  adds?: object | ((context: TestContext) => Promise<object>);
  /** A new record for each request, or one that does not exist; otherwise that of the context, if it has one. */
  record?: 'new' | 'missing';
  /** Whether each request is of another member of staff. */
  isOfNewUser?: true;
  /**
   * Paths to test within values whose content the schema does not describe, by the value's path.
   */
  openFields?: Record<string, string[]>;
  /** Returns whether the endpoint rejects a string in a field although its schema accepts it. */
  rejects?(fieldPath: string, text: string): boolean;
  /** Fields that accept only an existing id or the user's password, with the status for other values. */
  statusIfWrong?: Record<string, number>;
  /**
   * Maps strings that the endpoint treats as equal to the same string, so that only one of them is
   * sent.
   */
  normalise?: Record<string, (text: string) => string>;
  /** Fields that the server does not store. */
  ignored?: string[];
  /**
   * Returns the stored records by id, in the form in which they were sent. Without it, each text must be in some column
   * of a row that the requests wrote.
   */
  readStored?(context: TestContext): Promise<Map<string, object>>;
  /** Why what was sent is in no row. */
  storesNothing?: string;
  /** The field that contains a password with which sign-in must work afterwards. */
  secret?: string;
  /**
   * Set if the endpoint counts failures per user or network, so that each request needs another
   * user.
   */
  isRateLimited?: true;
  /** For slow endpoints: sends only one string in this many. */
  oneIn?: number;
  /** The status for valid strings, if it is not the endpoint's status for success, nor 404 for a missing record. */
  status?: number;
};

/** Returns a client with its own IP address, because failed sign-ins are counted per network. */
export const fromAddress = (client: { fetch: typeof fetch }, at: number) => ({
  fetch: ((path, init) =>
    client.fetch(path, {
      ...init,
      headers: { ...(init?.headers as object), 'x-forwarded-for': `10.1.${at >> 8}.${at & 255}` },
    })) as typeof fetch,
});

/** Returns the request of a test with this number: its own, or the valid one with what the test adds. */
export async function prepareRequest(
  context: TestContext,
  name: EndpointName,
  { prepare, adds, record: which, isOfNewUser }: FieldTest,
  at: number,
): Promise<TestRequest> {
  if (prepare) return prepare(context, at);
  const { server, admin, ids } = context;
  const { record, input } = endpointCases[name];
  const client = isOfNewUser ? await server.as('None') : admin;
  const known = new Map([
    [report, ids.report],
    [assessedReport, ids.report],
    [folder, ids.folder],
    [checklist, ids.checklist],
  ]).get(record as RecordKind);
  const createId = async () => (which !== 'new' && known) || (await record?.make({ server, admin }, ownPark)) || '';
  const id = which === 'missing' ? 'nowhere' : await createId();
  const { params, query, body } = ((await input?.({ server, admin, client, park: ownPark, id })) ?? {}) as Omit<
    TestRequest,
    'client'
  >;
  const added = typeof adds === 'function' ? await adds(context) : adds;
  const { username } = isOfNewUser ? client : Object(body);
  return {
    client: fromAddress(client, at),
    ...(params && { params }),
    ...(query && { query }),
    ...((body || added) && { body: { ...body, ...added } }),
    ...(username && { username }),
  };
}

export const hasQuery = (endpoint: Endpoint): endpoint is Endpoint & { query: z.ZodMiniType } =>
  endpoint.query !== undefined;
export const getSchema = (endpoint: Endpoint) =>
  (hasQuery(endpoint)
    ? endpoint.query
    : isMultipart(endpoint.body)
      ? endpoint.body.fields
      : endpoint.body) as z.ZodMiniType;
export const listTestedFields = (endpoint: Endpoint, { openFields = {} }: FieldTest) =>
  listFieldPaths(getSchema(endpoint)).flatMap(
    (fieldPath) => openFields[fieldPath]?.map((name) => `${fieldPath}.${name}`) ?? [fieldPath],
  );

export const validTexts = ['Ŵyn\'s "<b>" 50% – 🚑', '<i>'.repeat(33)];
/**
 * Whether a free-text field may reject a string, because it is empty, cannot be stored, or is too
 * short or too long.
 */
export const canBeRejected = (text: string) =>
  !isStorable(text) || toSingleLine(text) === '' || [...text].length < 8 || [...text].length > 99;
const multiLineFields = new Set([
  ...['details', 'description', 'data.description', 'data.0', 'reason', 'answer', 'sections.0.help'],
]);

/** Returns a text as fields of one line and of several lines may store it. */
export function getStoredForms(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').normalize('NFC');
  return [text.normalize('NFC'), lines, lines.trim(), toSingleLine(text)];
}

/** Expects the stored value to be the typed one, with the line ends that forms send. Ignores empty strings. */
export function expectAsTyped(storedValue: unknown, fieldPath: string, typed: string, endpoint: Endpoint) {
  const text = (isMultipart(endpoint.body) ? typed.replace(/\r\n?/g, '\n') : typed).normalize('NFC');
  if (text.trim() === '') return;
  if (typeof storedValue === 'number') expect(storedValue).toBe(Number(text));
  else
    expect([fieldPath, storedValue]).toEqual([fieldPath, multiLineFields.has(fieldPath) ? text : toSingleLine(text)]);
}

/** Tables with copies of what was sent, such as the replies for retries. */
const copies = /^(activity|deliveries|notifications|replies)$|_search|^kysely|^sqlite/;
/** Returns all rows as JSON, but those of copies. */
export async function readEveryRow({ db }: TestServer): Promise<Set<string>> {
  const tables = (await db.introspection.getTables()).filter(({ name, isView }) => !isView && !copies.test(name));
  const rows = await Promise.all(
    tables.map(async ({ name }) =>
      (
        await db
          .selectFrom(name as 'reports')
          .selectAll()
          .execute()
      ).map((row) => JSON.stringify([name, row])),
    ),
  );
  return new Set(rows.flat());
}

/** Returns the texts and numbers in these rows, and in the JSON in them. */
export function listTexts(rows: Iterable<string>): Set<string> {
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'object') for (const member of Object.values(value ?? {})) add(member);
    else {
      texts.add(String(value));
      if (/^[[{]/.test(String(value))) addJson(String(value));
    }
  };
  const addJson = (json: string) => {
    try {
      add(JSON.parse(json));
    } catch {
      // A text that begins like JSON.
    }
  };
  for (const row of rows) addJson(row);
  return texts;
}

/** Whether the URL of a request is so long that it is rejected before it is parsed. */
export const isTooLong = (endpoint: Endpoint, { query }: TestRequest) =>
  hasQuery(endpoint) && new URLSearchParams(query as Record<string, string>).toString().length > 1900;

/** Expects an error with this status and a message of our own. Returns the messages by field. */
export function expectErrorMessage(error: unknown, status: number, text: string): Record<string, string> {
  expect(error, text).toBeInstanceOf(ApiError);
  const apiError = error as ApiError;
  expect([text, apiError.status, apiError.text]).toEqual([text, status, apiError.text]);
  expect(apiError.body).toMatchObject({ success: false, message: expect.stringMatching(/^[A-Z].{3,199}$/) });
  for (const message of [apiError.message, ...Object.values(apiError.fields)])
    expect(message).not.toContain('Invalid input');
  return apiError.fields;
}

const isWeakPassword = (text: string, username = 'x') => {
  try {
    assertStrongPassword(text, username, 'Holiday Parks', 8);
    return false;
  } catch {
    return true;
  }
};
export const isRejectedPassword = (text: string) => isWeakPassword(text) || text.trim() !== text;
