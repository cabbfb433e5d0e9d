// The RIDDOR assessment of a report: one question at a time, with the result of the answers beside
// it.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { type EndpointInput, endpointUrl } from '#shared/client.ts';
import type { Assessment } from '#shared/law/assessment.ts';
import { evaluate } from '#shared/law/evaluate.ts';
import { keepAskedAnswers, withImpliedAnswers } from '#shared/law/questions.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { withoutErrors } from '#shared/law/validate.ts';
import type { Report } from '#shared/reports/reports.ts';
import { getServerTime, queryClient, queryFor } from '../client/api.ts';
import { getBaseVersion, sendChange } from '../client/sendChange.ts';
import { useSave } from '../client/useSave.ts';
import { formNames } from '../formNames.ts';
import { StaleButtons } from '../forms/StaleButtons.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { useToday } from '../ui/forms/useToday.ts';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import {
  type AssessmentDraft,
  getFactsFor,
  isAnswered,
  listQuestions,
  outcomeTexts,
  toAssessmentDraft,
} from './assessmentState.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { mayBeReported, NoticeForm } from './NoticeForm.tsx';
import { ParticularsForm } from './ParticularsForm.tsx';
import { QuestionSteps } from './QuestionSteps.tsx';
import { ResultSummary } from './ResultSummary.tsx';
import styles from './riddor.module.css';

export function RiddorTab({ report }: { report: Report }) {
  const params = { id: report.id };
  const assessment = useQuery({ ...queryFor(api.getAssessment, { params }), refetchOnWindowFocus: false });
  const [isAnsweredAgain, setAnsweredAgain] = useState(false);
  const { correctedBy = null, reviewBy = null, ruleSet = '' } = assessment.data ?? {};
  // Without a decision, the questions are always those of the corrected rules.
  const ruleSetId = correctedBy ?? (isAnsweredAgain ? reviewBy : null) ?? ruleSet;
  const rules = useQuery({
    ...queryFor(api.getRuleSet, { params: { id: ruleSetId } }),
    enabled: ruleSetId !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = assessment.error ?? rules.error;
  if (error)
    return (
      <ErrorBox
        message="The assessment could not be loaded."
        reason={error.message}
        onRetry={() => {
          void assessment.refetch();
          void rules.refetch();
        }}
      />
    );
  if (!assessment.data || !rules.data) return <Loading text="Loading the assessment..." />;
  return (
    <OpenAssessment
      key={ruleSetId}
      report={report}
      saved={assessment.data}
      ruleSet={rules.data as unknown as RuleSet}
      onAnswerAgain={() => setAnsweredAgain(true)}
    />
  );
}

/** `draft` is the draft that was sent. */
type AssessmentVariables = { body: EndpointInput<typeof api.saveAssessment>['body']; draft: AssessmentDraft };

type OpenAssessmentProps = { report: Report; saved: Assessment; ruleSet: RuleSet; onAnswerAgain: () => void };

function OpenAssessment({ report, saved, ruleSet, onAnswerAgain }: OpenAssessmentProps) {
  const params = { id: report.id };
  const formName = formNames.assessment(report.id);
  // Without input, the screen shows what is saved, also by someone else since.
  const {
    values: draft,
    isTyped: isChanged,
    ...input
  } = useTypedInput<AssessmentDraft>(formName, toAssessmentDraft(saved));
  const [status, setStatus] = useState<Status>();
  /** The manager's next step, whose heading gets the focus; after a decision with nothing to report, the decision. */
  const [nextStep, setNextStep] = useState<'decide' | 'report'>();
  const saving = useSave<AssessmentVariables, Assessment>(formName.name, {
    send: ({ body }) => sendChange(api.saveAssessment, { params, body }),
    onSaved(assessment, sent) {
      // Answers given while the others were sent are kept.
      if (isChanged && draft !== sent.draft) {
        input.set({ version: assessment.version, ruleSet: assessment.ruleSet });
        return setSaved(assessment);
      }
      show(assessment);
      setStatus({ kind: 'success', text: assessment.decision ? 'Assessment saved' : 'Assessment saved. Now decide.' });
      setNextStep(assessment.decision ? undefined : 'decide');
    },
    onFailed({ message, status }) {
      setStatus({ kind: 'error', text: message || 'The assessment could not be saved. Please try again.' });
      if (status === 409) void queryClient.invalidateQueries({ queryKey: [api.getAssessment.path] });
    },
  });
  const change = (changes: Partial<AssessmentDraft>) => {
    setStatus(undefined);
    saving.clearErrors(...Object.keys(saving.errors));
    // The changed answers are to the questions on this screen.
    input.set(changes.facts ? { ...changes, ruleSet: ruleSet.id } : changes);
  };
  const setSaved = (assessment: Assessment) =>
    queryClient.setQueryData(queryFor(api.getAssessment, { params }).queryKey, assessment);
  const show = (assessment: Assessment) => {
    saving.dismiss();
    input.clear();
    setSaved(assessment);
  };

  const today = useToday(getServerTime);
  // Some answers depend on the day, such as for how long someone has been off work. Changed answers
  // are those of today.
  const draftFacts = getFactsFor(ruleSet, draft);
  const facts = isChanged ? { ...draftFacts, asOf: today } : draftFacts;
  const result = evaluate(
    ruleSet,
    isChanged ? withoutErrors(ruleSet, withImpliedAnswers(ruleSet, facts), today) : facts,
  );
  const questions = listQuestions(ruleSet, facts);
  const { baseVersion, isStale } = getBaseVersion(params, saved, draft.version);
  const hasOtherRules = draft.ruleSet !== ruleSet.id || (saved.version > 0 && saved.ruleSet !== ruleSet.id);

  const submit = (version: number) => {
    const { event, people } = keepAskedAnswers(ruleSet, facts);
    setStatus(undefined);
    saving.save({
      body: {
        version,
        answers: { ...event, hospitalPremises: facts.event.hospitalPremises ?? 'no' } as never,
        people: people as never,
        particulars: draft.particulars,
        asOf: facts.asOf,
        ruleSet: ruleSet.id,
      },
      draft,
    });
  };

  if (input.takeOver) return <OpenInAnotherTab onTakeOver={input.takeOver} />;
  return (
    <div className={styles.tab}>
      <Text size="sm" c="dimmed">
        Answer what you know, save, decide, and record here what you told HSE. This is advice: the Health &amp; Safety
        Manager decides, and reports to HSE. Nothing is sent automatically.
      </Text>
      {hasOtherRules && (
        <ErrorBox
          message={
            ruleSet.corrects
              ? 'The rules were corrected. Answer the changed question, check your answers, then save.'
              : 'The rules have changed. Check your answers, then save.'
          }
          reason={ruleSet.corrects?.why ?? `Rules: ${ruleSet.id}`}
        />
      )}
      {saved.reviewBy && !hasOtherRules && !isChanged && (
        <ReviewBox reviewBy={saved.reviewBy} onAnswerAgain={onAnswerAgain} />
      )}
      <div className={styles.columns}>
        <div className={styles.questions}>
          <QuestionSteps
            report={report}
            ruleSet={ruleSet}
            facts={facts}
            result={result}
            questions={questions}
            errors={saving.errors}
            today={today}
            onChange={change}
          />
        </div>
        <ResultSummary
          ruleSet={ruleSet}
          result={result}
          facts={facts}
          saved={saved}
          today={today}
          isChanged={isChanged}
        />
        <div className={styles.saving}>
          <div className={isChanged ? styles.save : undefined}>
            <div className={styles.actions}>
              <Button
                variant={questions.every((one) => isAnswered(facts, one)) ? 'filled' : 'default'}
                onClick={() => submit(baseVersion)}
                loading={saving.isSaving}
                disabled={!isChanged && saved.version > 0}
              >
                Save
              </Button>
              {isStale && isChanged && (
                <StaleButtons
                  what="Answers"
                  isBusy={saving.isSaving}
                  onKeepMine={() => submit(saved.version)}
                  onUseSaved={() => show(saved)}
                />
              )}
              {isChanged && (
                <div className={styles.unsaved}>
                  {/* Hidden from screen readers: the result, a live region, announces it. */}
                  <Text size="sm" fw={600} aria-hidden className={styles.outcome}>
                    {outcomeTexts[result.outcome]}
                  </Text>
                  <Text size="sm">
                    {isStale
                      ? 'Someone else has changed this assessment. Your changes are not lost.'
                      : `Your answers are not saved yet.${saved.decision ? ' The decision is hidden until then.' : ''}`}
                  </Text>
                </div>
              )}
              {isChanged && !isStale && saved.version > 0 && (
                <Button variant="subtle" disabled={saving.isSaving} onClick={() => show(saved)}>
                  Use the Saved Answers
                </Button>
              )}
            </div>
            <StatusLine status={status} />
          </div>
          <ParticularsForm
            report={report}
            particulars={draft.particulars}
            onChange={(particulars) => change({ particulars })}
          />
        </div>
      </div>
      {saved.version > 0 && !isChanged && (
        <>
          {saved.correctedBy === null && (
            <DecisionForm
              key={saved.version}
              saved={saved}
              isNextStep={nextStep === 'decide'}
              onDecided={(assessment) => {
                show(assessment);
                setStatus(undefined);
                setNextStep(assessment.decision === 'reportable' ? 'report' : 'decide');
              }}
            />
          )}
          {mayBeReported(saved) && (
            <NoticeForm saved={saved} ruleSet={ruleSet} today={today} isNextStep={nextStep === 'report'} />
          )}
          <div className={styles.card}>
            <Button
              component="a"
              variant="default"
              href={endpointUrl(api.getReportPdf, { params, query: { assessment: '1' } })}
              target="_blank"
              rel="noreferrer"
              className={styles.alone}
            >
              PDF with Assessment
            </Button>
            <Button
              component="a"
              variant="default"
              href={endpointUrl(api.getReportPdf, { params, query: { representative: '1' } })}
              target="_blank"
              rel="noreferrer"
              className={styles.alone}
            >
              Copy for Safety Representatives
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

type ReviewBoxProps = {
  /** The id of the corrected rule set. */
  reviewBy: string;
  onAnswerAgain: () => void;
};

/** Says why a decision is to be checked again. It stays until it is saved again, or its answers are changed. */
function ReviewBox({ reviewBy, onAnswerAgain }: ReviewBoxProps) {
  const rules = useQuery({
    ...queryFor(api.getRuleSet, { params: { id: reviewBy } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { corrects } = (rules.data ?? {}) as Partial<RuleSet>;
  return (
    <ErrorBox
      message="Check this decision again. If it is right, save it again below. If not, answer the question again."
      reason={corrects?.why ?? ''}
    >
      <Button variant="default" onClick={onAnswerAgain}>
        Answer Again
      </Button>
    </ErrorBox>
  );
}
