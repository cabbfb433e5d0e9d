import { Text, Title } from '@mantine/core';
import { formatDay } from '#shared/dates.ts';
import type { Assessment } from '#shared/law/assessment.ts';
import { describeAction, describeAuthority, describeResponsible } from '#shared/law/authority.ts';
import { type Duty, mayBeOwnDuty, type Result } from '#shared/law/evaluate.ts';
import { explain, getQuestionLabel } from '#shared/law/explain.ts';
import type { Facts } from '#shared/law/facts.ts';
import { listRules, type RuleSet } from '#shared/law/rule-set.ts';
import { outcomeTexts } from './assessmentState.ts';
import { RiddorStateLine } from './RiddorStateLine.tsx';
import styles from './riddor.module.css';

type ResultSummaryProps = {
  ruleSet: RuleSet;
  result: Result;
  facts: Facts;
  saved: Assessment;
  /** Whether the answers differ from the saved ones. */
  isChanged: boolean;
};

/** The result of the current answers, saved or not, with the reasons. */
export function ResultSummary({ ruleSet, result, facts, saved, isChanged }: ResultSummaryProps) {
  const { outcome, duties, openDuties, records, watchFrom } = result;
  const rules = new Map(listRules(ruleSet).map(({ rule }) => [rule.id, rule]));
  const describe = (duty: Duty) => {
    const regulation = duty.regulation === 'none' ? '' : ` (regulation ${duty.regulation})`;
    return `${rules.get(duty.rule)?.text ?? duty.rule}${regulation}`;
  };
  const decidingDuties = { reportable: duties, undecided: openDuties, record: records, notReportable: [] }[outcome];
  const ownDuties = decidingDuties.filter(mayBeOwnDuty);
  const authority = outcome === 'reportable' ? describeAuthority(saved.authority, ownDuties) : '';
  const [first, ...others] = [...new Set(decidingDuties.map(({ rule }) => rule))].flatMap((id) => rules.get(id) ?? []);
  const firstRuleText =
    first && `${first.title ?? first.id}${first.regulation === 'none' ? '' : `, regulation ${first.regulation}`}`;
  const heading = [
    outcomeTexts[outcome],
    firstRuleText && outcome !== 'undecided' && `: ${firstRuleText}`,
    firstRuleText && outcome !== 'undecided' && others.length > 0 && ` and ${others.length} more`,
  ]
    .filter(Boolean)
    .join('');
  const action = describeAction(result);
  // The answers that rule out each rule, for readers who expected another result.
  const reasonTexts =
    outcome === 'notReportable'
      ? [
          ...new Set(
            explain(ruleSet, facts).flatMap(({ reasons }) =>
              reasons.map(({ field, answer }) => `${getQuestionLabel(ruleSet, field)} ${answer}`),
            ),
          ),
        ]
      : [];
  return (
    <aside className={styles.result} aria-label="Result">
      <div role="status">
        <Title order={3} size="h4">
          {heading}
        </Title>
        {action && <Text fw={600}>{action}.</Text>}
        {watchFrom && <Text>Reportable on {formatDay(watchFrom)} if still off.</Text>}
        {outcome === 'record' && <Text>Keep our own record. There is nothing to send.</Text>}
      </div>
      {duties.length > 0 && <Reasons items={duties.map(describe)} />}
      {records.length > 0 && outcome !== 'notReportable' && duties.length === 0 && (
        <Reasons items={records.map(describe)} />
      )}
      {openDuties.length > 0 && (
        <details>
          <summary>Still open: {openDuties.length}</summary>
          <Reasons items={openDuties.map(describe)} />
        </details>
      )}
      {reasonTexts.length > 0 && (
        <details>
          <summary>Reasons</summary>
          <Reasons items={reasonTexts} />
        </details>
      )}
      {describeResponsible(result).map((text) => (
        <Text key={text}>{text}</Text>
      ))}
      {authority && <Text>Authority: {authority}</Text>}
      {saved.version > 0 && (
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
