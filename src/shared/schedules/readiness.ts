// Whether a place may open, from the schedules that open it and what was submitted there. Pure: the facts are read by
// server/schedules/readiness.ts.
import { addDays } from '../calendar.ts';
import { getToday } from '../dates.ts';
import { isRecent } from './check-state.ts';
import { expandSchedule, isInSeason, type Occurrence, type ScheduleRule } from './expand-schedule.ts';
import type { Readiness } from './schedules.ts';

/** A submission of a schedule's checklist at the place that is not deleted. Timestamps are ISO 8601 UTC. */
export type JudgedSubmission = {
  id: string;
  /** Greater than that of every submission that arrived before it. */
  arrival: number;
  receivedAt: string;
  /** By the device's clock; the server's time if that is unknown or ahead. */
  filledInAt: string;
  /** Whether no answer is failing, there is a question that can fail, and each is answered. */
  hasPassed: boolean;
  failures: number;
};

/**
 * Something changed that would have made the place ready. It stays closed until a submission passes that was filled in since,
 * and arrives later.
 */
export type CheckAgain = {
  /** The checklist that must pass again; empty if any may. */
  checklistId: string;
  /** The `arrival` of the last submission before the change. */
  arrival: number;
  at: string;
  /** What changed, as a sentence. */
  what: string;
};

export type OpeningSchedule = {
  checklistId: string;
  rule: ScheduleRule;
  /** Its last check at the place whose window has opened. */
  opened: Pick<Occurrence, 'opensAt' | 'closesAt'> | null;
  submissions: readonly JudgedSubmission[];
};

type PlaceFacts = {
  /** The schedules in force that open the place. */
  schedules: readonly OpeningSchedule[];
  again: readonly CheckAgain[];
  /** The days from yesterday on which the park is closed. */
  closedDays: ReadonlySet<string>;
};

type Result = Omit<Readiness, 'park' | 'place_id' | 'place' | 'gate' | 'audits' | 'checklists'> & {
  /** The ids of the submissions whose failing answers keep the place closed. */
  failing: string[];
};

/** What one schedule says about the place. */
type Verdict =
  | { is: 'ready'; submission: JudgedSubmission; at: string; until: string }
  | { is: 'failing'; submission: JudgedSubmission }
  | { is: 'again'; what: string }
  | { is: 'due'; since: string }
  | { is: 'notInUse'; why: NonNullable<Readiness['not_in_use']>; until: string | null }
  | { is: 'waiting'; until: string | null };

/** Whether the place may open, or why not. */
export function getReadiness({ schedules, again, closedDays }: PlaceFacts, now: string): Result {
  const verdicts = schedules.map(
    (schedule) => judge(schedule, again, closedDays, now) ?? readToday(schedule.rule, closedDays, now).describeUse(),
  );
  const select = <Is extends Verdict['is']>(is: Is) =>
    verdicts.filter((verdict): verdict is Extract<Verdict, { is: Is }> => verdict.is === is);
  const passed = select('ready');
  const areAllPassed = passed.length === verdicts.length && passed.length > 0;
  const blocking = again.find(
    (one) => one.checklistId === '' && !passed.some(({ submission }) => isSince(submission, one)),
  );
  const is_ready = areAllPassed && !blocking;
  const reasons = { failing: select('failing'), again: select('again'), due: select('due') };
  const isNotInUse = !areAllPassed && Object.values(reasons).every((list) => list.length === 0);
  const notInUse = isNotInUse
    ? schedules.length === 0
      ? ({ why: 'ended', until: null } as const)
      : select('notInUse').sort((a, b) => compare(a.why, b.why))[0]
    : undefined;
  const checkedAt = passed.map(({ at }) => at).sort(compare);
  const validUntil = [...passed, ...select('waiting')].flatMap(({ until }) => until ?? []).sort(compare);
  const waiting = schedules.flatMap(({ checklistId: checklist_id }, index) => {
    const verdict = verdicts[index];
    return verdict?.is === 'waiting' && verdict.until ? [{ checklist_id, opens_at: verdict.until }] : [];
  });
  return {
    is_ready,
    not_in_use: notInUse?.why ?? null,
    not_in_use_until: notInUse?.until ?? null,
    check_again: reasons.again[0]?.what ?? (areAllPassed ? blocking?.what : undefined) ?? null,
    checked_at: is_ready ? (checkedAt.at(-1) ?? null) : null,
    valid_until: validUntil[0] ?? null,
    first_check: waiting.sort((a, b) => compare(a.opens_at, b.opens_at))[0] ?? null,
    due_since: reasons.due.map(({ since }) => since).sort(compare)[0] ?? null,
    failures: reasons.failing.reduce((sum, { submission }) => sum + submission.failures, 0),
    failing: reasons.failing.map(({ submission }) => submission.id),
  };
}

/** What keeps the place closed by the schedule alone, or that it lets it open; undefined if none is due, and none holds. */
export const getState = (
  schedule: OpeningSchedule,
  { again, closedDays }: Omit<PlaceFacts, 'schedules'>,
  now: string,
): Verdict['is'] | undefined => judge(schedule, again, closedDays, now)?.is;

/** Whether the schedule alone lets the place open. */
export const isOpenedBy = (...facts: Parameters<typeof getState>): boolean => getState(...facts) === 'ready';

const unanswered = 'A question that can fail was not answered, or the checklist has none';

/** Returns what the submissions say about the place; nothing if none is due, and none holds. */
function judge(
  { checklistId, rule, opened: stored, submissions }: OpeningSchedule,
  allAgain: readonly CheckAgain[],
  closedDays: ReadonlySet<string>,
  now: string,
): Verdict | undefined {
  const { open } = readToday(rule, closedDays, now);
  const opened = open && !(stored && stored.opensAt > open.opensAt) ? open : stored;
  const last = submissions.reduce<JudgedSubmission | undefined>(
    (last, one) => (last && compareCounted(last, one) > 0 ? last : one),
    undefined,
  );
  const again = allAgain.find((one) => one.checklistId === checklistId);
  const nominal = createCalendar(rule);
  if (last && opened && getCountedAt(last) >= opened.opensAt) {
    const until = nominal.findNext(getCountedAt(last));
    if (until > now && !last.hasPassed)
      return last.failures > 0 ? { is: 'failing', submission: last } : { is: 'again', what: unanswered };
    if (until > now && (!again || isSince(last, again)))
      return { is: 'ready', submission: last, at: getCountedAt(last), until };
  }
  if (again && opened && again.at >= opened.opensAt && nominal.findNext(again.at) > now)
    return { is: 'again', what: again.what };
  if (opened && (opened.closesAt > now || nominal.findNext(opened.opensAt) > now))
    return { is: 'due', since: opened.opensAt };
  return undefined;
}

/**
 * When a submission counts: a pass always when it was filled in, so that an old one never opens a place that was due
 * since; a fail that arrived more than a day later when it arrived.
 */
const getCountedAt = ({ hasPassed, filledInAt, receivedAt }: JudgedSubmission): string =>
  hasPassed || isRecent(filledInAt, receivedAt) ? filledInAt : receivedAt;

/** Whether a pass is a new one: one from before that was sent late says nothing about what changed. */
const isSince = (pass: JudgedSubmission, { arrival, at }: CheckAgain): boolean =>
  pass.arrival > arrival && pass.filledInAt >= at;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** At equal times a fail is later than a pass. */
const compareCounted = (a: JudgedSubmission, b: JudgedSubmission) =>
  compare(getCountedAt(a), getCountedAt(b)) || Number(b.hasPassed) - Number(a.hasPassed) || a.arrival - b.arrival;

/** Returns why nothing is due today, or when the next check is. */
function describeUse(rule: ScheduleRule, closedDays: ReadonlySet<string>, now: string): Verdict {
  const today = getToday(new Date(now));
  const findDay = (isFound: (day: string) => boolean) => {
    const last = addDays(today, daysToLookAhead);
    for (let day = addDays(today, 1); day <= last; day = addDays(day, 1)) if (isFound(day)) return day;
    return null;
  };
  if (rule.endsOn && rule.endsOn < today) return { is: 'notInUse', why: 'ended', until: null };
  if (closedDays.has(today)) return { is: 'notInUse', why: 'closed', until: findDay((day) => !closedDays.has(day)) };
  if (!isInSeason(rule.season, today))
    return { is: 'notInUse', why: 'season', until: findDay((day) => isInSeason(rule.season, day)) };
  const findNext = (days: number) =>
    expandSchedule(rule, today, addDays(today, days), closedDays).find(({ opensAt }) => opensAt > now)?.opensAt;
  const next = findNext(daysToLookAheadFirst) ?? findNext(daysToLookAhead) ?? findNext(longestDaysToLookAhead);
  return { is: 'waiting', until: next ?? null };
}

/** Most checks are due again within a week, and a year of days takes long. */
const daysToLookAheadFirst = 8;
/** A monthly check with a season is due again within a year. */
const daysToLookAhead = 370;
/** Of what is due every few months or years. */
const longestDaysToLookAhead = 13 * 366;

type Today = { now: string; open: Occurrence | undefined; describeUse: () => Verdict };

/** Many places share a rule and the closed days of their park, which are compared by identity. */
const known = new WeakMap<ScheduleRule, WeakMap<ReadonlySet<string>, Today>>();

/** Returns the window of a rule that is open now, and why nothing is due. */
function readToday(rule: ScheduleRule, closedDays: ReadonlySet<string>, now: string): Today {
  const ofRule = known.get(rule) ?? new WeakMap<ReadonlySet<string>, Today>();
  known.set(rule, ofRule);
  const found = ofRule.get(closedDays);
  if (found?.now === now) return found;
  let use: Verdict | undefined;
  const today: Today = {
    now,
    open: findOpenWindow(rule, closedDays, now),
    describeUse() {
      use ??= describeUse(rule, closedDays, now);
      return use;
    },
  };
  ofRule.set(closedDays, today);
  return today;
}

/** Returns the window of a rule that is open now. */
export const getOpenWindow = (...facts: Parameters<typeof readToday>): Occurrence | undefined =>
  readToday(...facts).open;

/** Returns the window that is open now, of a schedule whose checks are not inserted yet. */
const findOpenWindow = (rule: ScheduleRule, closedDays: ReadonlySet<string>, now: string) =>
  expandSchedule(rule, addDays(now, -2), addDays(now, 1), closedDays).findLast(
    ({ opensAt, closesAt }) => opensAt <= now && now < closesAt,
  );

/**
 * Finds when a rule would next open a window, reckoned without closed days, season, first and last day: a pass does
 * not hold longer because the park is closed. Rules are compared by identity.
 */
const calendars = new WeakMap<ScheduleRule, { findNext: (after: string) => string }>();
function createCalendar(rule: ScheduleRule) {
  const known = calendars.get(rule);
  if (known) return known;
  const unbounded: ScheduleRule = {
    ...rule,
    ...{ season: null, startsOn: '1900-01-01', endsOn: null, countedFrom: rule.startsOn },
  };
  const byDay = new Map<string, Occurrence[]>();
  const calendar = {
    findNext(after: string): string {
      const day = after.slice(0, 10);
      const find = (days: number) => {
        const occurrences =
          byDay.get(`${day} ${days}`) ?? expandSchedule(unbounded, addDays(day, -2), addDays(day, days));
        byDay.set(`${day} ${days}`, occurrences);
        return occurrences.find(({ opensAt }) => opensAt > after)?.opensAt;
      };
      return find(daysToLookAheadFirst) ?? find(daysToLookAhead) ?? find(longestDaysToLookAhead) ?? after;
    },
  };
  calendars.set(rule, calendar);
  return calendar;
}
