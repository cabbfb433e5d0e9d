// What the receipt of a checklist says, outside its folding panel.
import { formatInstant } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { LastResult, SubmissionReceipt } from '#shared/schedules/results.ts';
import { isNotReady } from '#shared/schedules/schedules.ts';
import { describeReadiness } from '../schedules/text.ts';

type ReceiptFacts = {
  /** The number of failing answers; undefined in receipts of earlier versions. */
  failing?: number | undefined;
  /** The number of questions without an answer, as `countUnanswered` counts; undefined in receipts of earlier versions. */
  unanswered?: number | undefined;
  /** The name of the place; undefined for the park as a whole. */
  place: string | undefined;
  park: string;
  /** Whether scheduled checks say that the place may open, as far as this device knows. */
  mayOpen: boolean;
  /** What the server says; undefined while it has not arrived, or cannot be asked. */
  received: Pick<SubmissionReceipt, 'failing' | 'ready' | 'told'> | undefined;
};

export type ReceiptLines = {
  /** What to do before anything else: `Keep Indoor pool closed`. */
  warning: string | undefined;
  sentences: string[];
};

/** Without a reply of the server nothing says that the place is ready. */
export function getReceiptLines({
  failing: counted,
  unanswered = 0,
  place,
  park,
  mayOpen,
  received,
}: ReceiptFacts): ReceiptLines {
  const failing = received?.failing ?? counted;
  if (failing === undefined) return { warning: undefined, sentences: [] };
  const ready = received?.ready ?? undefined;
  const isClosed = received ? ready !== undefined && isNotReady(ready) : mayOpen && failing > 0;
  const warning = place && isClosed ? `Keep ${place} closed` : undefined;
  const fails =
    failing === 0
      ? 'This check has no failing answer'
      : `${pluralise(failing, 'answer')} ${failing === 1 ? 'fails' : 'fail'}`;
  const told = received?.told ? `; the reviewers${park && ` of ${park}`} were told` : '';
  const isUnknown = place && mayOpen && !received && failing === 0;
  return {
    warning,
    sentences: [
      `${fails}${told}.`,
      ...(unanswered > 0 ? [`${describeUnanswered(unanswered)}.`] : []),
      ...(ready ? [`${ready.place}: ${describeReadiness(ready)}.`] : []),
      ...(ready && isNotReady(ready) && ready.checklists.length > 1
        ? [`It may open once all of these have passed: ${ready.checklists.map(({ title }) => title).join('; ')}.`]
        : []),
      ...(isUnknown ? [`Whether ${place} may open shows when it has arrived.`] : []),
    ],
  };
}

const describeUnanswered = (count: number) =>
  `${pluralise(count, 'question')} ${count === 1 ? 'has' : 'have'} no answer`;

/** `Last filled in 28/11/2026, 20:46 by Huw Rees: 1 failing answer (Water clear?).` */
export function describeLastResult(last: LastResult['last']): string {
  if (!last) return 'Not filled in here before.';
  const { at, by, failing, titles, unanswered = 0 } = last;
  const result = failing === 0 ? 'no failing answer' : pluralise(failing, 'failing answer');
  const named = titles.length > 0 ? ` (${titles.join(', ')})` : '';
  const missing = unanswered > 0 ? `; ${describeUnanswered(unanswered)}` : '';
  return `Last filled in ${formatInstant(at)} by ${by}: ${result}${named}${missing}.`;
}
