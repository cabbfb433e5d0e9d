import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { contract, type EndpointName } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { runCrashRounds } from './testing/crash.ts';
import { createTestFolder } from './testing/folder.ts';
import { engines } from './testing/server.ts';

/** Few rounds, because `npm run crash` runs hundreds. */
const rounds = { sqlite: 5, postgres: 3 };

test.each(engines)(
  'repeated server crashes on %s lose no acknowledged change and leave nothing half-written',
  { timeout: 300_000 },
  async (engine) => {
    const folder = createTestFolder(onTestFinished);
    const figures = await runCrashRounds(engine, folder, rounds[engine]);
    expect(figures.rounds).toBe(rounds[engine]);
    expect(figures.acknowledged).toBeGreaterThan(rounds[engine]);
  },
);

/** Requests with one effect that no client sends while the server is killed. */
const notSent: Record<string, EndpointName[]> = {
  'one transaction stores all of it, as of a folder, a lesson or a section': [
    ...(['submitIncident', 'submitChecklist', 'createChecklist', 'updateChecklist', 'updateFolder'] as const),
    ...(['createSchedule', 'updateSchedule', 'createClosure', 'setHold', 'createUser', 'createAccessRequest'] as const),
    ...(['saveAccessChoices', 'saveAssessment', 'decideAssessment', 'addRiddorNotice', 'addAuditNote'] as const),
    ...(['addInvestigationNote', 'closeMessage', 'closeMessages', 'markJunk', 'undoJunk', 'blankNames'] as const),
  ],
  'retention/replay.test.ts kills it at each of its steps': ['runRetention'],
};

test('each request with one effect is sent while the server is killed, or there is a reason why not', () => {
  const code = ['crash.ts', 'crash-writes.ts'].map((file) =>
    readFileSync(new URL(`testing/${file}`, import.meta.url), 'utf8'),
  );
  const isSent = (name: string) => code.some((text) => new RegExp(`\\bapi\\.${name}\\b`).test(text));
  const withOneEffect = Object.entries<Endpoint>(contract).flatMap(([name, { idempotent }]) =>
    idempotent ? name : [],
  );
  // For a new endpoint: several transactions, or files, belong into crash-writes.ts.
  expect(withOneEffect.filter((name) => !isSent(name)).toSorted()).toEqual(Object.values(notSent).flat().toSorted());
});
