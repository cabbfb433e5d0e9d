import { Button, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { type Assessment, assessmentLimits } from '#shared/law/assessment.ts';
import { type Decision, decisions } from '#shared/law/riddor-state.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useSave } from '../client/useSave.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import answerStyles from './AnswerField.module.css';
import styles from './riddor.module.css';
import { StepHeading } from './StepHeading.tsx';

const decisionLabels: Record<Decision, string> = {
  reportable: 'Reportable',
  record: 'Record only',
  notReportable: 'Not reportable',
};

type DecisionFormProps = {
  saved: Assessment;
  /** Whether to decide is the manager's next step. */
  isNextStep: boolean;
  onDecided: (saved: Assessment) => void;
};

/**
 * The manager's decision. If it differs from the result, it needs a reason, which is shown with it.
 */
export function DecisionForm({ saved, isNextStep, onDecided }: DecisionFormProps) {
  const showName = useNames();
  const outcome = String(saved.result?.outcome ?? '');
  const name = `decision on ${saved.report_id}`;
  const input = useTypedInput<{ decision: Decision | undefined; reason: string }>(name, {
    decision: saved.decision ?? (outcome === 'undecided' ? undefined : (outcome as Decision)),
    reason: saved.reason ?? '',
  });
  const { decision, reason } = input.values;
  const [status, setStatus] = useState<Status>();
  const saving = useSave<{ decision: Decision; reason: string }, Assessment>(name, {
    send: (variables, key) =>
      callApiWithRetry(api.decideAssessment, {
        params: { id: saved.report_id },
        body: { ...variables, version: saved.version },
        key,
      }),
    onSaved(decided) {
      input.clear();
      onDecided(decided);
    },
    onFailed: ({ message }) =>
      setStatus({ kind: 'error', text: message || 'The decision could not be saved. Please try again.' }),
  });
  const isAgainstResult = decision !== undefined && decision !== outcome;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!decision) return setStatus({ kind: 'error', text: 'Choose reportable, record only or not reportable' });
    if (isAgainstResult && reason.trim().length < assessmentLimits.reasonMin)
      return setStatus({
        kind: 'error',
        text: `Your decision differs from the result. Give a reason of at least ${assessmentLimits.reasonMin} characters.`,
      });
    setStatus(undefined);
    saving.save({ decision, reason });
  };

  return (
    <section className={styles.card}>
      <StepHeading isNextStep={isNextStep}>Decision</StepHeading>
      {saved.decision && saved.decided_at && (
        <Text>
          {decisionLabels[saved.decision]}, decided by {saved.decided_by && showName(saved.decided_by)} on{' '}
          {formatInstant(saved.decided_at)}.{saved.decision !== outcome && ' This differs from the result.'}
        </Text>
      )}
      <form onSubmit={submit} noValidate className={styles.form}>
        <div role="radiogroup" aria-label="Decision" className={answerStyles.options}>
          {decisions.map((value) => (
            <label key={value} className={answerStyles.option}>
              <input
                type="radio"
                name="decision"
                checked={decision === value}
                onChange={() => {
                  setStatus(undefined);
                  input.set({ decision: value });
                }}
              />
              <span>
                {decisionLabels[value]}
                {value === outcome && ' (as the result says)'}
              </span>
            </label>
          ))}
        </div>
        <Textarea
          label="Reason"
          description={isAgainstResult ? 'Needed, because your decision differs from the result.' : 'Optional'}
          value={reason}
          maxLength={assessmentLimits.reasonMax}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => input.set({ reason: currentTarget.value })}
        />
        <div className={styles.actions}>
          <Button type="submit" loading={saving.isSaving}>
            Decide
          </Button>
        </div>
        <StatusLine status={status} />
      </form>
    </section>
  );
}
