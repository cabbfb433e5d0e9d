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
export async function runEveryFailure(rig: OutboxRig, { isShort }: { isShort: boolean }): Promise<string[]> {
  const cases: { request: number; fault: Fault }[] = [];
  for (let request = 0; request < requestCount; request++)
    for (const [index, fault] of faults.entries())
      if (!isShort || (request + index) % requestCount < 2) cases.push({ request, fault });
  const copies = await rig.insertCopies(cases.map(({ request, fault }) => `Request ${request} ${fault}`));
  for (const [index, { request, fault }] of cases.entries())
    rig.proxy.planFault(copies[index]?.requests[request] ?? '', fault);
  await rig.waitUntilSent();
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
  await rig.waitUntilSent();
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
type StepName = keyof typeof steps;

const schedule = fc.record({
  /** On a slow connection the events happen in the middle of sending. */
  latencyMs: fc.constantFrom(0, 50, 200, 500),
  events: fc.array(
    fc.record({
      step: fc.constantFrom(...(Object.keys(steps) as StepName[])),
      pauseMs: fc.integer({ min: 0, max: 800 }),
      fault: fc.option(
        fc.record({
          request: fc.nat(requestCount - 1),
          fault: fc.constantFrom(...faults),
          hangMs: fc.constantFrom(1500, 6000, 40_000),
        }),
      ),
    }),
    { minLength: 2, maxLength: 5 },
  ),
});
export type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

/** Random sequences of events on a device and a server. */
export const sampleSchedules = (count: number, seed: number): Schedule[] =>
  fc.sample(schedule, { numRuns: count, seed });

/** Runs one sequence with a new item of this kind. */
export async function runSchedule(
  rig: OutboxRig,
  { latencyMs, events }: Schedule,
  name: string,
  kind: Kind = 'report',
) {
  const copies = await rig.insertCopies([name], kind);
  const requests = copies[0]?.requests ?? [];
  const planFaultOf = ({ fault }: (typeof events)[number]) => {
    if (fault) rig.proxy.planFault(requests[fault.request % requests.length] ?? '', fault.fault, fault.hangMs);
  };
  rig.proxy.setLatency(latencyMs);
  await rig.open();
  for (const event of events) {
    planFaultOf(event);
    await steps[event.step](rig);
    await wait(event.pauseMs);
  }
  rig.proxy.setLatency(0);
  rig.proxy.setOffline(false);
  await rig.signIn();
  await steps.tabsClosed(rig);
  await rig.waitUntilSent();
  return rig.findProblems(copies);
}
