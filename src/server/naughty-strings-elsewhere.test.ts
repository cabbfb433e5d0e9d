// Naughty strings outside the fields of requests: in names of files, CSV lines, paths and searches.
import { describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { isStorable } from '#shared/text.ts';
import { getUsernameKey, Username } from '#shared/users.ts';
import { photo, upload } from './testing/factories.ts';
import { expectErrorMessage } from './testing/naughty-fields.ts';
import { naughtyStrings, runForAll, toSingleLine } from './testing/naughty-strings.ts';
import { newReportWithoutFiles } from './testing/seed-reports.ts';
import { engines } from './testing/server.ts';
import { createTestServer } from './testing/test-server.ts';

/** If set, every string is sent in the path of every endpoint, which takes minutes; otherwise one in eight. */
const areAllTested = process.env.NAUGHTY_STRINGS === 'all';

describe.each(engines)('naughty strings in file names, searches, CSV and paths, on %s', (engine) => {
  const { server } = createTestServer(engine);
  const staff = server.user('None');
  const reviewer = server.user('Admin');

  test('naughty strings as file names never cause an error', async () => {
    const bytes = await photo();
    const sampledStrings = naughtyStrings.filter((_, at) => at % 25 === 0);
    await runForAll(sampledStrings, async (text) =>
      expect(await upload(staff, bytes, text.toWellFormed())).toMatch(/^\/uploads\//),
    );
  });

  test('a search finds its words literally, anywhere in a text', async () => {
    const marks = [
      '100% sure',
      'under_score',
      'back\\slash',
      'say "hello"',
      "o'clock",
      'a*b',
      '(NEAR',
      'AND OR NOT',
      'x:y',
      '^start',
      '-minus',
      'curly{}',
      'ς ΟΔΥΣΣΕΥΣ',
      'straße',
      'İstanbul',
      '日本語の',
      '🚑🚒',
      '%',
      '_',
    ];
    const ids = new Map<string, string>();
    for (const mark of marks) {
      const body = await newReportWithoutFiles(server.db, staff.id, { details: `Zz ${mark} zZ` });
      const { id } = await staff(api.submitIncident, { body });
      ids.set(mark, id);
    }
    const searchReportIds = async (q: string) =>
      (await reviewer(api.listReports, { query: { q, reportType: 'incident', limit: 500 } })).map(
        (report) => report.id,
      );
    for (const [mark, id] of ids) {
      expect([mark, (await searchReportIds(mark)).includes(id)]).toEqual([mark, true]);
      for (const word of mark.split(' '))
        expect([word, (await searchReportIds(word)).includes(id)]).toEqual([word, true]);
    }
    // Each word occurs in one report only, so a character used as a wildcard would find more.
    for (const [q, mark] of [
      ['0%', '100% sure'],
      ['r_s', 'under_score'],
      ['k\\s', 'back\\slash'],
      ['\\', 'back\\slash'],
      ['"', 'say "hello"'],
      ['"hello"', 'say "hello"'],
      ["'", "o'clock"],
      ['*', 'a*b'],
      ['a*b', 'a*b'],
      ['(near', '(NEAR'],
      ['x:y', 'x:y'],
      ['^start', '^start'],
      ['ΟΔΥΣΣ', 'ς ΟΔΥΣΣΕΥΣ'],
      ['οδυσσευς', 'ς ΟΔΥΣΣΕΥΣ'],
      ['ΕΥΣ', 'ς ΟΔΥΣΣΕΥΣ'],
      ['STRASSE', 'none'],
      ['istanbul', 'İstanbul'],
      ['本語', '日本語の'],
      ['🚒', '🚑🚒'],
    ] as const)
      expect([q, await searchReportIds(q)]).toEqual([q, ids.has(mark) ? [ids.get(mark)] : []]);
    expect((await searchReportIds('%')).toSorted()).toEqual([ids.get('100% sure'), ids.get('%')].toSorted());
    expect((await searchReportIds('_')).toSorted()).toEqual([ids.get('under_score'), ids.get('_')].toSorted());
    expect(await searchReportIds('100 sure')).toEqual([ids.get('100% sure')]);
  });

  test('naughty strings as usernames in a CSV file create users or get an error with the line', async () => {
    const admin = reviewer;
    const names = new Map(naughtyStrings.map((text) => [getUsernameKey(text), text]));
    const createLines = (texts: string[]) =>
      texts.map((text) => `"${text.replaceAll('"', '""')}",None,Lido Beach`).join('\n');
    const make = (texts: string[]) => admin(api.importUsers, { body: { csv: createLines(texts) } });
    const texts = [...names.values()].filter((text) => isStorable(text) && !/[\r\n]/.test(text));
    const isGood = (text: string) => Username.safeParse(text).success;
    for (let at = 0; at < texts.length; at += 200) {
      const sampledStrings = texts.slice(at, at + 200);
      const error = await make(sampledStrings).catch((error: unknown) => error);
      expectErrorMessage(error, 400, 'a list');
      const { lines } = (error as ApiError).body as { lines: { line: number; message: string }[] };
      const otherErrors = lines.filter(({ message }) => !message.startsWith('User already exists'));
      expect(otherErrors.map(({ line }) => line)).toEqual(
        sampledStrings.flatMap((text, line) => (isGood(text) ? [] : [line + 1])),
      );
      for (const { message } of lines) expect(message).toMatch(/^[A-Z]/);
    }
    const validNames = texts.map((text) => `${text}.listed`).filter(isGood);
    const { users } = await make(validNames);
    expect(users.map(({ username }) => username)).toEqual(validNames.map(toSingleLine));
    const listed = new Set((await admin(api.listUsers)).map(({ username }) => username));
    expect(validNames.map(toSingleLine).filter((name) => !listed.has(name))).toEqual([]);
  });

  test.runIf(engine === 'sqlite')(
    'a naughty string in the path of an endpoint is rejected with a message',
    async () => {
      // Endpoints that ask users to confirm their identity do that before anything else.
      const rows = Object.values<Endpoint>(contract).filter(
        ({ path, needsConfirmation }) => path.includes('{') && !needsConfirmation,
      );
      await runForAll(naughtyStrings, async (text, at) => {
        for (const [rowIndex, { method, path }] of rows.entries()) {
          if (!areAllTested && (at + rowIndex) % 8 > 0) continue;
          const response = await reviewer.fetch(path.replace(/\{\w+\}/, encodeURIComponent(text)), { method });
          const answer = await response.json();
          expect([text, method, path, [400, 404, 405].includes(response.status)]).toEqual([text, method, path, true]);
          expect(answer).toMatchObject({ success: false, message: expect.stringMatching(/^[A-Z].{3,199}$/) });
        }
      });
    },
  );
});
