import { Button, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { type Assessment, assessmentLimits } from '#shared/law/assessment.ts';
import { type Decision, decisions } from '#shared/law/clock.ts';
import { mutationWithRetryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { newUuid } from '../newUuid.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import answerStyles from './AnswerField.module.css';
import styles from './riddor.module.css';

const words: Record<Decision, string> = {
  reportable: 'Reportable',
  record: 'Record only',
  notReportable: 'Not reportable',
};

/** The manager's decision. If it differs from the result, it needs a reason, which is shown with it. */
export function DecisionForm({ saved, onDecided }: { saved: Assessment; onDecided: (saved: Assessment) => void }) {
  const showName = useNames();
  const decide = useMutation(mutationWithRetryFor(api.decideAssessment));
  const outcome = String(saved.result?.outcome ?? '');
  const [decision, setDecision] = useState<Decision | undefined>(
    saved.decision ?? (outcome === 'undecided' ? undefined : (outcome as Decision)),
  );
  const [reason, setReason] = useState(saved.reason ?? '');
  const [status, setStatus] = useState<Status>();
  const [key] = useState(newUuid);
  const isAgainst = decision !== undefined && decision !== outcome;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!decision) return setStatus({ kind: 'error', text: 'Choose reportable, record only or not reportable' });
    if (isAgainst && reason.trim().length < assessmentLimits.reasonMin)
      return setStatus({
        kind: 'error',
        text: `Your decision differs from the result. Give a reason of at least ${assessmentLimits.reasonMin} characters.`,
      });
    decide.mutate(
      { params: { id: saved.report_id }, body: { version: saved.version, decision, reason }, key: `${key}` },
      {
        onSuccess: onDecided,
        onError: (error) =>
          setStatus({
            kind: 'error',
            text: readError(error).message || 'The decision could not be saved. Please try again.',
          }),
      },
    );
  };

  return (
    <section className={styles.card}>
      <Title order={3} size="h4">
        Decision
      </Title>
      {saved.decision && saved.decided_at && (
        <Text>
          {words[saved.decision]}, decided by {saved.decided_by && showName(saved.decided_by)} on{' '}
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
                  setDecision(value);
                }}
              />
              <span>
                {words[value]}
                {value === outcome && ' (as the result says)'}
              </span>
            </label>
          ))}
        </div>
        <Textarea
          label="Reason"
          description={isAgainst ? 'Needed, because your decision differs from the result.' : 'Optional'}
          value={reason}
          maxLength={assessmentLimits.reasonMax}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button type="submit" loading={decide.isPending}>
            Decide
          </Button>
        </div>
        <StatusLine status={status} />
      </form>
    </section>
  );
}
