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
  type FieldTest,
  getSchema,
  hasQuery,
  isTooLong,
  listPlaces,
  type TestContext,
  type TestRequest,
  validTexts,
} from './testing/naughty-fields.ts';
import { naughtyStrings, runForAll } from './testing/naughty-strings.ts';
import { engines, startTestServer } from './testing/server.ts';

/** If set, every string is sent in every field, which takes minutes; otherwise in one field of each endpoint. */
const areAllTested = process.env.ODD_TEXTS === 'all';

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
  const isStored = ([name, { readStored }]: [string, FieldTest]) => readStored || /^list/.test(name);
  test.each(Object.entries(fieldTests).filter((fieldTest) => engine === 'sqlite' || isStored(fieldTest)))(
    'naughty strings in each field of %s are stored as typed or rejected with a message',
    async (name, fieldTest) => {
      const row: Endpoint = contract[name as EndpointName];
      const part = hasQuery(row) ? 'query' : 'body';
      const places = listPlaces(row, fieldTest);
      const { names = {}, ignored = [], status = row.status } = fieldTest;
      const base = (await fieldTest.prepare(context, 0))[part] ?? {};
      const isInputRead = (place: string, text: string) => {
        const { error } = getSchema(row).safeParse(withValue(base, place, text));
        return isStorable(text) && !error?.issues.some((issue) => issue.path.join('.') === place);
      };
      const isGood = (place: string, text: string) => isInputRead(place, text) && !fieldTest.rejects?.(place, text);

      // The valid and invalid strings of each field. One in eight is sent, in one field; each engine sends others.
      const engineIndex = engines.indexOf(engine);
      const texts = new Map(
        places.map((place, placeIndex) => {
          // Each engine searches in its own way, so every string is searched for; months and exports search as the lists do.
          const isOfThisEngine = (at: number) =>
            areAllTested ||
            (place === 'q' && /^list(?!ReportMonths)/.test(name)) ||
            (at + engineIndex) % (places.length * (fieldTest.oneIn ?? 1) * 8) === placeIndex;
          const testedStrings = naughtyStrings.flatMap((text, at) =>
            // The schemas are the same on either engine.
            engine === 'sqlite' || isOfThisEngine(at)
              ? [{ text, isOfThisEngine: isOfThisEngine(at), isGood: isGood(place, text) }]
              : [],
          );
          if (validTexts.every((text) => isGood(place, text)))
            for (const { text, isGood } of testedStrings)
              if (!isGood && !fieldTest.rejects?.(place, text))
                expect([text, canBeRejected(text)]).toEqual([text, true]);
          const normalise = fieldTest.normalise?.[place] ?? ((text: string) => text);
          const expectedStrings = testedStrings.filter(({ isOfThisEngine }) => isOfThisEngine);
          const validStrings = new Map(
            expectedStrings.flatMap(({ text, isGood }) => (isGood ? [[normalise(text), text]] : [])),
          );
          return [
            place,
            {
              good: [...validStrings.values()],
              bad: expectedStrings.flatMap(({ text, isGood }) => (isGood ? [] : [text])),
            },
          ];
        }),
      );
      const applyChanges = (sent: TestRequest, changes: Map<string, string>): TestRequest => {
        let value = sent[part] ?? {};
        for (const [place, text] of changes) value = withValue(value, place, text);
        return { ...sent, [part]: value };
      };
      const send = (sent: TestRequest) =>
        sendRequest(sent.as.fetch, row, sent as never) as Promise<{ id?: string } | undefined>;
      /** Requests, each with the next string of each list. */
      const rounds = (getStrings: (place: string) => string[]) => {
        const length = Math.max(0, ...places.map((place) => getStrings(place).length));
        return Array.from({ length }, (_, at) => {
          const next = places.flatMap((place) => {
            const text = getStrings(place)[at];
            return text === undefined ? [] : [[place, text] as const];
          });
          return new Map(next);
        });
      };

      const stored = new Map<string, Map<string, string>>();
      await runForAll(
        rounds((place) => (place in names ? [] : (texts.get(place)?.good ?? []))),
        async (changes, at) => {
          const prepared = await fieldTest.prepare(context, at);
          const sent = applyChanges(prepared, changes);
          const reply = await send(sent).catch((error: unknown) => {
            if (status < 300) throw new Error(`${JSON.stringify([...changes])}: ${(error as ApiError).text}`);
            expectErrorMessage(error, status, JSON.stringify([...changes]));
            return undefined;
          });
          const id = reply?.id ?? prepared.params?.id;
          if (id) stored.set(id, changes);
          const secret = fieldTest.secret && changes.get(fieldTest.secret);
          if (secret) await context.server.signIn(changes.get('username') ?? prepared.username ?? '', '', secret);
        },
      );
      if (fieldTest.readStored && stored.size > 0) {
        const storedRecords = await fieldTest.readStored(context);
        for (const [id, changes] of stored)
          for (const [place, text] of changes)
            if (!ignored.includes(place)) expectAsTyped(getValueAt(storedRecords.get(id), place), place, text, row);
      }

      const preparedRequest = await fieldTest.prepare(context, 0);
      const failed = (sent: TestRequest) => send(sent).catch((error: unknown) => error);
      const getStorable = (place: string) =>
        texts.get(place)?.bad.filter((text) => isStorable(text) && text !== '') ?? [];
      await runForAll(rounds(getStorable), async (changes, at) => {
        const sent = applyChanges(
          fieldTest.isRateLimited ? await fieldTest.prepare(context, at) : preparedRequest,
          changes,
        );
        const fields = expectErrorMessage(await failed(sent), 400, JSON.stringify([...changes]));
        if (isTooLong(row, sent)) return;
        // Schema errors come first; the endpoint's own only if there are none.
        const unread = [...changes].flatMap(([place, text]) => (isInputRead(place, text) ? [] : [place]));
        expect(Object.keys(fields).toSorted()).toEqual((unread.length > 0 ? unread : [...changes.keys()]).toSorted());
      });
      for (const place of places) {
        const { good = [], bad = [] } = texts.get(place) ?? {};
        for (const text of bad.filter((text) => !isStorable(text)))
          expectErrorMessage(await failed(applyChanges(preparedRequest, new Map([[place, text]]))), 400, text);
        const status = names[place];
        if (status)
          await runForAll(good, async (text, at) => {
            const prepared = fieldTest.isRateLimited ? await fieldTest.prepare(context, at) : preparedRequest;
            expectErrorMessage(await failed(applyChanges(prepared, new Map([[place, text]]))), status, text);
          });
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );
});
