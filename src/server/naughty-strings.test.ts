// Naughty strings in any field of any endpoint are stored as typed or rejected with a message, and never run as code.
// The fields come from the contract, so that new ones are tested too.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api, contract, type EndpointName } from '#shared/api.ts';
import { type ApiError, sendRequest } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { isStorable } from '#shared/text.ts';
import { newFolder, newReport } from './testing/factories.ts';
import { getValueAt, withValue } from './testing/fields.ts';
import { fieldTests, sections } from './testing/naughty-field-tests.ts';
import {
  canBeRejected,
  expectAsTyped,
  expectErrorMessage,
  getSchema,
  getStoredForms,
  hasQuery,
  isTooLong,
  listTestedFields,
  listTexts,
  prepareRequest,
  readEveryRow,
  type TestContext,
  type TestRequest,
  validTexts,
} from './testing/naughty-fields.ts';
import { naughtyStrings, runForAll } from './testing/naughty-strings.ts';
import { engines, startTestServer } from './testing/server.ts';

const endpointsWithFields = (Object.entries(contract) as [EndpointName, Endpoint][]).filter(
  ([, { body, query }]) => body || query,
);

/**
 * Whether every string is sent in every field, which takes minutes, or in one field of each
 * endpoint.
 */
const areAllTested = process.env.NAUGHTY_STRINGS === 'all';

/** For endpoints without an entry, which are those of new kinds. */
const howToDeclare =
  'does not store these fields: in naughty-field-tests.ts, `ignored` names fields that are not stored, ' +
  '`storesNothing` says why none is, and `statusIfWrong` or `rejects` what is not accepted';

describe.each(engines)('naughty strings on %s', (engine) => {
  let context: TestContext;
  beforeAll(async () => {
    const server = await startTestServer(engine, { TRUST_PROXY: '127.0.0.1' });
    const admin = await server.as('Admin');
    const report = await newReport(admin);
    const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
    const checklist = await admin(api.createChecklist, { body: { title: 'All', sections } });
    context = { server, admin, report, ids: { report: id, folder: await newFolder(admin), checklist: checklist.id } };
  });
  afterAll(() => context.server.stop());

  // Input that is neither stored nor searched is the same on both engines.
  const storesInput = (name: EndpointName, { status, body }: Endpoint) => {
    const { record, status: expected = status } = fieldTests[name] ?? {};
    return body !== undefined && expected < 300 && record !== 'missing' && !fieldTests[name]?.storesNothing;
  };
  const isOfBothEngines = (name: EndpointName, endpoint: Endpoint) => storesInput(name, endpoint) || /^list/.test(name);
  test.each(endpointsWithFields.filter((args) => engine === 'sqlite' || isOfBothEngines(...args)))(
    'naughty strings in each field of %s are stored as typed or rejected with a message',
    async (name, endpoint) => {
      const fieldTest = fieldTests[name] ?? {};
      const prepare = (at: number) => prepareRequest(context, name, fieldTest, at);
      const part = hasQuery(endpoint) ? 'query' : 'body';
      const fieldPaths = listTestedFields(endpoint, fieldTest);
      const {
        statusIfWrong = {},
        ignored = [],
        record,
        status = record === 'missing' ? 404 : endpoint.status,
      } = fieldTest;
      const base = (await prepare(0))[part] ?? {};
      const passesSchema = (fieldPath: string, text: string) => {
        const { error } = getSchema(endpoint).safeParse(withValue(base, fieldPath, text));
        return isStorable(text) && !error?.issues.some((issue) => issue.path.join('.') === fieldPath);
      };
      const isValid = (fieldPath: string, text: string) =>
        passesSchema(fieldPath, text) && !fieldTest.rejects?.(fieldPath, text);

      // The valid and invalid strings for each field. By default one string in eight is sent, in
      // one field, and each engine sends different ones.
      const engineIndex = engines.indexOf(engine);
      const texts = new Map(
        fieldPaths.map((fieldPath, fieldIndex) => {
          // Search for every string on both engines, because each searches in its own way. Months
          // and exports search as the lists do.
          const isTestedOnThisEngine = (at: number) =>
            areAllTested ||
            (fieldPath === 'q' && /^list(?!ReportMonths)/.test(name)) ||
            (at + engineIndex) % (fieldPaths.length * (fieldTest.oneIn ?? 1) * 8) === fieldIndex;
          const testedStrings = naughtyStrings.flatMap((text, at) =>
            // Check the schemas with SQLite only, because they do not depend on the engine.
            engine === 'sqlite' || isTestedOnThisEngine(at)
              ? [{ text, isTestedOnThisEngine: isTestedOnThisEngine(at), isValid: isValid(fieldPath, text) }]
              : [],
          );
          if (validTexts.every((text) => isValid(fieldPath, text)))
            for (const { text, isValid } of testedStrings)
              if (!isValid && !fieldTest.rejects?.(fieldPath, text))
                expect([text, canBeRejected(text)]).toEqual([text, true]);
          const normalise = fieldTest.normalise?.[fieldPath] ?? ((text: string) => text);
          const expectedStrings = testedStrings.filter(({ isTestedOnThisEngine }) => isTestedOnThisEngine);
          const validStrings = new Map(
            expectedStrings.flatMap(({ text, isValid }) => (isValid ? [[normalise(text), text]] : [])),
          );
          return [
            fieldPath,
            {
              valid: [...validStrings.values()],
              invalid: expectedStrings.flatMap(({ text, isValid }) => (isValid ? [] : [text])),
            },
          ];
        }),
      );
      const applyChanges = (sent: TestRequest, changes: Map<string, string>): TestRequest => {
        let value = sent[part] ?? {};
        for (const [fieldPath, text] of changes) value = withValue(value, fieldPath, text);
        return { ...sent, [part]: value };
      };
      const send = (sent: TestRequest) =>
        sendRequest(sent.client.fetch, endpoint, sent as never) as Promise<{ id?: string } | undefined>;
      /** Returns the changes for each request: the next string of each field's list. */
      const rounds = (getStrings: (fieldPath: string) => string[]) => {
        const length = Math.max(0, ...fieldPaths.map((fieldPath) => getStrings(fieldPath).length));
        return Array.from({ length }, (_, at) => {
          const next = fieldPaths.flatMap((fieldPath) => {
            const text = getStrings(fieldPath)[at];
            return text === undefined ? [] : [[fieldPath, text] as const];
          });
          return new Map(next);
        });
      };

      const stored = new Map<string, Map<string, string>>();
      const sentTexts: [fieldPath: string, text: string][] = [];
      const isReadInDatabase = storesInput(name, endpoint) && !fieldTest.readStored;
      const rowsBefore = isReadInDatabase ? await readEveryRow(context.server) : new Set<string>();
      await runForAll(
        rounds((fieldPath) => (fieldPath in statusIfWrong ? [] : (texts.get(fieldPath)?.valid ?? []))),
        async (changes, at) => {
          const prepared = await prepare(at);
          const sent = applyChanges(prepared, changes);
          const reply = await send(sent).catch((error: unknown) => {
            if (status < 300) throw new Error(`${JSON.stringify([...changes])}: ${(error as ApiError).text}`);
            expectErrorMessage(error, status, JSON.stringify([...changes]));
            return undefined;
          });
          const id = reply?.id ?? prepared.params?.id;
          if (id) stored.set(id, changes);
          sentTexts.push(...changes);
          const secret = fieldTest.secret && changes.get(fieldTest.secret);
          if (secret) await context.server.signIn(changes.get('username') ?? prepared.username ?? '', '', secret);
        },
      );
      if (fieldTest.readStored && stored.size > 0) {
        const storedRecords = await fieldTest.readStored(context);
        for (const [id, changes] of stored)
          for (const [fieldPath, text] of changes)
            if (!ignored.includes(fieldPath))
              expectAsTyped(getValueAt(storedRecords.get(id), fieldPath), fieldPath, text, endpoint);
      }

      if (isReadInDatabase) {
        const rows = await readEveryRow(context.server);
        const texts = listTexts([...rows].filter((row) => !rowsBefore.has(row)));
        const lost = sentTexts.filter(
          ([fieldPath, text]) =>
            !ignored.includes(fieldPath) && text.trim() && !getStoredForms(text).some((form) => texts.has(form)),
        );
        expect(lost, `${name} ${howToDeclare}`).toEqual([]);
      }

      const preparedRequest = await prepare(0);
      const failed = (sent: TestRequest) => send(sent).catch((error: unknown) => error);
      const getStorable = (fieldPath: string) =>
        texts.get(fieldPath)?.invalid.filter((text) => isStorable(text) && text !== '') ?? [];
      await runForAll(rounds(getStorable), async (changes, at) => {
        const sent = applyChanges(fieldTest.isRateLimited ? await prepare(at) : preparedRequest, changes);
        const fields = expectErrorMessage(await failed(sent), 400, JSON.stringify([...changes]));
        if (isTooLong(endpoint, sent)) return;
        // The endpoint's own checks run only if the schema accepts all fields.
        const rejectedBySchema = [...changes].flatMap(([fieldPath, text]) =>
          passesSchema(fieldPath, text) ? [] : [fieldPath],
        );
        expect(Object.keys(fields).toSorted()).toEqual(
          (rejectedBySchema.length > 0 ? rejectedBySchema : [...changes.keys()]).toSorted(),
        );
      });
      for (const fieldPath of fieldPaths) {
        const { valid = [], invalid = [] } = texts.get(fieldPath) ?? {};
        for (const text of invalid.filter((text) => !isStorable(text)))
          expectErrorMessage(await failed(applyChanges(preparedRequest, new Map([[fieldPath, text]]))), 400, text);
        const status = statusIfWrong[fieldPath];
        if (status)
          await runForAll(valid, async (text, at) => {
            const prepared = fieldTest.isRateLimited ? await prepare(at) : preparedRequest;
            expectErrorMessage(await failed(applyChanges(prepared, new Map([[fieldPath, text]]))), status, text);
          });
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );
});
