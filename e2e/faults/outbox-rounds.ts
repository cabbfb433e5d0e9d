// Failures during the sending of a report. Each function returns the errors found at the end.
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { type Fault, faults } from './fault-proxy.ts';
import type { Kind, OutboxRig } from './outbox-rig.ts';

/** Three photos, two signatures, the report. */
const requestCount = 6;

/**
 * Every request of a report fails in every way; with `isShort`, only enough
 * combinations to try each request and each way twice.
 */
export async function runMatrix(rig: OutboxRig, { isShort }: { isShort: boolean }): Promise<string[]> {
  const cases: { request: number; fault: Fault }[] = [];
  for (let request = 0; request < requestCount; request++)
    for (const [index, fault] of faults.entries())
      if (!isShort || (request + index) % requestCount < 2) cases.push({ request, fault });
  const copies = await rig.insertCopies(cases.map(({ request, fault }) => `Request ${request} ${fault}`));
  for (const [index, { request, fault }] of cases.entries())
    rig.proxy.plan(copies[index]?.requests[request] ?? '', fault);
  await rig.waitUntilSent(cases.length * 60_000);
  return rig.findProblems(copies);
}

/** Kills browser and server together during sending. */
export async function runKillRounds(rig: OutboxRig, rounds: number, onRound: (round: number) => void = () => {}) {
  const copies = [];
  for (let round = 1; round <= rounds; round++) {
    copies.push(...(await rig.insertCopies([`Killed ${round} a`, `Killed ${round} b`])));
    await rig.open();
    await wait(Math.random() * 1500);
    await rig.killBoth();
    onRound(round);
  }
  await rig.waitUntilSent(rounds * 30_000);
  return rig.findProblems(copies);
}

const steps = {
  offline: async (rig: OutboxRig) => rig.proxy.setOffline(true),
  online: async (rig: OutboxRig) => rig.proxy.setOffline(false),
  newTab: async (rig: OutboxRig) => void (await rig.open()),
  twoTabs: async (rig: OutboxRig) => void (await Promise.all([rig.open(), rig.open('/reporting')])),
  tabsClosed: async (rig: OutboxRig) => void (await Promise.all(rig.context.pages().map((page) => page.close()))),
  browserKilled: (rig: OutboxRig) => rig.killBrowser(),
  serverKilled: (rig: OutboxRig) => rig.killServer(),
  sessionEnded: async (rig: OutboxRig) => void (await rig.db.deleteFrom('sessions').execute()),
  signedIn: (rig: OutboxRig) => rig.signIn(),
  clockAhead: async (rig: OutboxRig) => void (await rig.open('/outbox', 40 * 60 * 60_000)),
  clockBehind: async (rig: OutboxRig) => void (await rig.open('/outbox', -40 * 60 * 60_000)),
};
type Step = keyof typeof steps;

const schedule = fc.array(
  fc.record({
    step: fc.constantFrom(...(Object.keys(steps) as Step[])),
    pauseMs: fc.integer({ min: 0, max: 800 }),
    fault: fc.option(fc.record({ request: fc.nat(requestCount - 1), fault: fc.constantFrom(...faults) })),
  }),
  { minLength: 2, maxLength: 5 },
);

type Schedules = { kind?: Kind; rounds: number; seed?: number; onRound?: (round: number) => void };

/** Random sequences of events on a device and a server. A failure names its seed. */
export async function runSchedules(rig: OutboxRig, { kind = 'report', rounds, seed = Date.now(), onRound }: Schedules) {
  const problems: string[] = [];
  for (const [round, events] of fc.sample(schedule, { numRuns: rounds, seed }).entries()) {
    const copies = await rig.insertCopies([`Schedule ${seed} ${round}`], kind);
    await rig.open();
    for (const { step, pauseMs, fault } of events) {
      const requests = copies[0]?.requests ?? [];
      if (fault) rig.proxy.plan(requests[fault.request % requests.length] ?? '', fault.fault);
      await steps[step](rig);
      await wait(pauseMs);
    }
    rig.proxy.setOffline(false);
    await rig.signIn();
    await steps.tabsClosed(rig);
    // Long enough for a busy computer to upload a photo before the page is closed.
    const unsent = await rig.waitUntilSent(240_000, 30_000).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const found = unsent === undefined ? await rig.findProblems(copies) : [unsent];
    problems.push(
      ...found.map((problem) => `${problem} after ${JSON.stringify(events)} (round ${round}, seed ${seed})`),
    );
    // What was not sent would be in the way of the next round.
    if (unsent !== undefined) return problems;
    onRound?.(round + 1);
  }
  return problems;
}
