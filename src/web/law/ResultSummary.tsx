import { Text, Title } from '@mantine/core';
import { formatDay } from '#shared/dates.ts';
import type { Assessment } from '#shared/law/assessment.ts';
import { describeAction, describeAuthority, describeResponsible } from '#shared/law/authority.ts';
import { mayBeOwnDuty, type Result } from '#shared/law/evaluate.ts';
import { describeDeadlineReason, listReasons } from '#shared/law/explain.ts';
import type { Facts } from '#shared/law/facts.ts';
import { listRules, type RuleSet } from '#shared/law/rule-set.ts';
import { isAnswered, listQuestions, outcomeTexts } from './assessmentState.ts';
import { RiddorStateLine } from './RiddorStateLine.tsx';
import styles from './riddor.module.css';

type ResultSummaryProps = {
  ruleSet: RuleSet;
  result: Result;
  facts: Facts;
  saved: Assessment;
  today: string;
  /** Whether the answers differ from the saved ones. */
  isChanged: boolean;
};

/** The result of the current answers, saved or not, with the reasons. */
export function ResultSummary({ ruleSet, result, facts, saved, today, isChanged }: ResultSummaryProps) {
  const { outcome, duties, openDuties, records, watchFrom } = result;
  const isUnanswered = listQuestions(ruleSet, facts).every((one) => !isAnswered(facts, one));
  const rules = new Map(listRules(ruleSet).map(({ rule }) => [rule.id, rule]));
  const decidingDuties = { reportable: duties, undecided: openDuties, record: records, notReportable: [] }[outcome];
  const ownDuties = decidingDuties.filter(mayBeOwnDuty);
  const authority = outcome === 'reportable' ? describeAuthority(saved.authority, ownDuties) : '';
  const deadlineReason = describeDeadlineReason(ruleSet, facts, result);
  const { applies, mayApply, rulesOut } = listReasons(ruleSet, facts, result);
  const [first, ...others] =
    applies.length === 0
      ? []
      : [...new Set(decidingDuties.map(({ rule }) => rule))].flatMap((id) => rules.get(id) ?? []);
  const firstRuleText =
    first && `${first.title ?? first.id}${first.regulation === 'none' ? '' : `, regulation ${first.regulation}`}`;
  const heading = [
    outcomeTexts[outcome],
    firstRuleText && outcome !== 'undecided' && `: ${firstRuleText}`,
    firstRuleText && outcome !== 'undecided' && others.length > 0 && ` and ${others.length} more`,
  ]
    .filter(Boolean)
    .join('');
  const action = describeAction(result, today);
  return (
    <aside className={styles.result} aria-label="Result">
      <div role="status">
        <Title order={3} size="h4">
          {heading}
        </Title>
        {action && (
          <Text fw={600}>
            {action}
            {deadlineReason && `: ${deadlineReason}`}.
          </Text>
        )}
        {isUnanswered && <Text>Answer the questions. The result and its reasons appear here.</Text>}
        {watchFrom && <Text>Reportable on {formatDay(watchFrom)} if still off.</Text>}
        {outcome === 'record' && (
          <Text>
            {applies.length > 0
              ? 'Keep our own record. There is nothing to send.'
              : 'Keep our own record, unless it turns out that none is needed. There is nothing to send.'}
          </Text>
        )}
      </div>
      {applies.length > 0 && <Reasons items={applies} />}
      {mayApply.length > 0 && (
        <div>
          <Text>{outcome === 'reportable' ? 'May also apply:' : 'May apply:'}</Text>
          <Reasons items={mayApply.map(({ text, open }) => [text, ...open].join(' '))} />
        </div>
      )}
      {rulesOut.length > 0 && (
        <details>
          <summary>Reasons</summary>
          <Reasons items={rulesOut} />
        </details>
      )}
      {(applies.length > 0 || mayApply.length > 0) &&
        describeResponsible(result).map((text) => <Text key={text}>{text}</Text>)}
      {authority && <Text>Authority: {authority}</Text>}
      {saved.version > 0 && !isChanged && (
        <Text>
          <RiddorStateLine riddorState={saved.clock} />
        </Text>
      )}
      {isChanged && (
        <Text size="sm" c="dimmed">
          Based on the answers on this screen, which are not saved yet.
        </Text>
      )}
    </aside>
  );
}

const Reasons = ({ items }: { items: string[] }) => (
  <ul className={styles.reasons}>
    {[...new Set(items)].map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
);
