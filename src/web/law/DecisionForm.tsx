import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { type Assessment, assessmentLimits } from '#shared/law/assessment.ts';
import { type Decision, decisions } from '#shared/law/riddor-state.ts';
import { queryClient } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { getBaseVersion, sendChange } from '../client/sendChange.ts';
import { useSave } from '../client/useSave.ts';
import { formNames } from '../formNames.ts';
import { StaleButtons } from '../forms/StaleButtons.tsx';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
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

/** `version` is the one that the user saw when choosing. */
type DecisionInput = { decision: Decision | undefined; reason: string; version: number };
type DecisionVariables = DecisionInput & { decision: Decision };

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
  const formName = formNames.decision(saved.report_id);
  const input = useTypedInput<DecisionInput>(formName, {
    decision: saved.decision ?? (outcome === 'undecided' ? undefined : (outcome as Decision)),
    reason: saved.reason ?? '',
    version: saved.version,
  });
  const { decision, reason, version } = input.values;
  const params = { id: saved.report_id };
  const [status, setStatus] = useState<Status>();
  const saving = useSave<DecisionVariables, Assessment>(formName.name, {
    send: (body) => sendChange(api.decideAssessment, { params, body }),
    onSaved(decided, sent) {
      // A change made while the decision was sent is kept.
      const isSent = decision === sent.decision && reason === sent.reason;
      if (isSent) input.clear();
      else input.set({ version: decided.version });
      onDecided(decided);
    },
    onFailed({ message, status }) {
      setStatus({ kind: 'error', text: message || 'The decision could not be saved. Please try again.' });
      if (status === 409) void queryClient.invalidateQueries({ queryKey: [api.getAssessment.path] });
    },
  });
  const { baseVersion, isStale } = getBaseVersion(params, saved, version);
  const isAgainstResult = decision !== undefined && decision !== outcome;

  const submit = (version: number) => {
    if (!decision) return setStatus({ kind: 'error', text: 'Choose reportable, record only or not reportable' });
    if (isAgainstResult && reason.trim().length < assessmentLimits.reasonMin)
      return setStatus({
        kind: 'error',
        text: `Your decision differs from the result. Give a reason of at least ${assessmentLimits.reasonMin} characters.`,
      });
    setStatus(undefined);
    saving.save({ decision, reason, version });
  };

  if (input.takeOver) return <OpenInAnotherTab onTakeOver={input.takeOver} />;
  return (
    <section className={styles.card}>
      <StepHeading isNextStep={isNextStep}>Decision</StepHeading>
      {saved.decision && saved.decided_at && (
        <Text>
          {decisionLabels[saved.decision]}, decided by {saved.decided_by && showName(saved.decided_by)} on{' '}
          {formatInstant(saved.decided_at)}.{saved.decision !== outcome && ' This differs from the result.'}
        </Text>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(baseVersion);
        }}
        noValidate
        className={styles.form}
      >
        <div role="radiogroup" aria-label="Decision" className="stack tight">
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
                {value === 'record' && ': keep a record, do not report it'}
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
          <Button
            type="submit"
            loading={saving.isSaving}
            disabled={saved.decision !== null && saved.reviewBy === null && !input.isTyped}
          >
            Save Decision
          </Button>
          {isStale && (
            <StaleButtons
              what="Decision"
              isBusy={saving.isSaving}
              onKeepMine={() => submit(saved.version)}
              onUseSaved={() => {
                input.clear();
                saving.dismiss();
                setStatus(undefined);
              }}
            />
          )}
        </div>
        {isStale && (
          <Text size="sm">
            The assessment has changed since you chose this. Your decision is still here, but not saved.
          </Text>
        )}
        <StatusLine status={status} />
      </form>
    </section>
  );
}
