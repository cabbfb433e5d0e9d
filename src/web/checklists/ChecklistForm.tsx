import { Button, NativeSelect, Text } from '@mantine/core';
import { Info, Printer, Undo2 } from 'lucide-react';
import { type FormEvent, Fragment, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { canSeePark } from '#shared/access.ts';
import {
  type AnswerErrors,
  type Answers,
  findMissingAnswers,
  missingFieldsMessage,
  parseAnswers,
  requiredMessage,
  withAnswer,
} from '#shared/answers.ts';
import type { Answer, Checklist, Section } from '#shared/checklists.ts';
import { parks } from '#shared/choices.ts';
import { createsAudit } from '#shared/failing-answers.ts';
import type { Park } from '#shared/park-list.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { SignedOutDraftOffer } from '../drafts/SignedOutDraftOffer.tsx';
import { newUuid } from '../newUuid.ts';
import { getErrorReason } from '../outbox/getErrorReason.ts';
import type { SendError } from '../outbox/items.ts';
import { saveCorrection, submit } from '../outbox/outbox.ts';
import { savedForRetry } from '../outbox/receiptText.ts';
import { getFormState, type Submission, type useSubmission } from '../outbox/useSubmission.ts';
import { cancelPreparation, hasProblems, PROCESSING_IMAGES, useIsPreparing } from '../photos/preparing.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { focusFirstError, removeErrors } from '../ui/forms/fieldErrors.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import styles from './ChecklistForm.module.css';
import {
  type ChecklistDraft,
  createChecklistDraft,
  deleteChecklistDraft,
  findChecklistDraft,
  findDraftTime,
  saveChecklistDraft,
} from './checklistDrafts.ts';
import {
  type EnteredFailures,
  emptyFailure,
  type Failure,
  type FollowUpErrors,
  findErrors,
  hasFailureInput,
  isShownAsFailing,
  needsPark,
  selectFailing,
  withPassedBoxes,
} from './failures.ts';
import { PrintableChecklist } from './PrintableChecklist.tsx';
import { SectionField } from './SectionField.tsx';
import { createSubmission, LostPhotoError, readSubmission } from './submittedChecklist.ts';
import { usePosition } from './usePosition.ts';

const FailureFields = lazyComponent(() => import('./FailureFields.tsx'), 'FailureFields');

const saved = 'Progress saved!';
const processing: Status = {
  kind: 'progress',
  text: PROCESSING_IMAGES,
  hint: 'The checklist is submitted when they are ready. Stay on this screen.',
};
const failed = 'Failed to submit checklist. Please try again.';
const answersKeptText = 'Your answers are still here.';

type InitialForm = ChecklistDraft & {
  failures: EnteredFailures;
  /** The version that is filled in: answers are bound to its sections. */
  checklist: Checklist;
  /** The outbox item with these answers, if they were submitted. */
  itemId?: string;
};

/** The submitted answers that have not arrived, else the draft, else nothing. */
function getInitialForm(userId: string, newest: Checklist, { phase, item }: Submission): InitialForm {
  // The form of an item that waits for a connection is free for the next submission.
  if (item && phase !== 'saved') return { ...readSubmission(item), key: item.id, itemId: item.id };
  const { failures = {}, ...draft } = findChecklistDraft(userId, newest) ?? createChecklistDraft();
  return { checklist: newest, failures, ...draft };
}

const findSignedOutDraftTime = (userId: string, checklistId: string) =>
  userId === signedOutUserId ? undefined : findDraftTime(signedOutUserId, checklistId);

type ChecklistFormProps = {
  checklist: Checklist;
  outboxState: ReturnType<typeof useSubmission>;
  feedback: ReturnType<typeof useFeedback>;
  /** Called when it was sent, or waits on the device for a connection. */
  onSubmitted: () => void;
  /** The park of the due check from which it was opened. */
  suggestedPark: Park | undefined;
};

export function ChecklistForm({
  checklist: newest,
  outboxState,
  feedback,
  onSubmitted,
  suggestedPark,
}: ChecklistFormProps) {
  const user = useUser();
  const { submission } = outboxState;
  const { phase } = submission;
  const [initialForm] = useState(() => getInitialForm(user.id, newest, submission));
  const { checklist } = initialForm;
  const { sections } = checklist;
  const [answers, setAnswers] = useState(initialForm.answers);
  const [failures, setFailures] = useState(initialForm.failures);
  const [followUpErrors, setFollowUpErrors] = useState<FollowUpErrors>({});
  const [chosenPark, setPark] = useState<Park | ''>(initialForm.park ?? '');
  const visibleParks = [chosenPark, suggestedPark].filter((name) => name && canSeePark(user, name));
  const park = visibleParks[0] ?? (user.park as Park | '');
  const [itemId, setItemId] = useState(initialForm.itemId);
  const [isStoring, setStoring] = useState(false);
  const [errors, setErrors] = useState<AnswerErrors>({});
  const [reason, setReason] = useState('');
  const [cleared, setCleared] = useState<Pick<InitialForm, 'answers' | 'failures'>>();
  const [resetCount, setResetCount] = useState(0);
  const [savedAnswers, setSavedAnswers] = useState<Answers>();
  const form = useRef<HTMLFormElement>(null);
  /** Whether the checklist is submitted once all photos are prepared. */
  const [isWaiting, setWaiting] = useState(false);
  const [printedAnswers, setPrintedAnswers] = useState<{ answers: Answers | undefined }>();
  const [signedOutDraftTime, setSignedOutDraftTime] = useState(() => findSignedOutDraftTime(user.id, newest.id));

  const { isFromThisForm, isSending, isDone, refused, isChangeable, ...state } = getFormState(
    submission,
    itemId,
    isStoring,
  );
  const isFrozen = state.isFrozen || isDone;

  function change(next: (answers: Answers) => Answers) {
    setAnswers(next);
    // The item is only in this page, so it can still be changed. The server stores a submission
    // only once per id.
    if (isChangeable) {
      outboxState.withdraw();
      setItemId(undefined);
    }
    // The state of the previous submission is shown until the next one is started.
    if (!isFromThisForm && phase !== 'none') outboxState.leave();
  }

  /** Makes unticked boxes above this question ask for their notes. */
  function passBoxes(index: number) {
    if (isFrozen || withPassedBoxes(sections, answers, index) === answers) return;
    change((answers) => withPassedBoxes(sections, answers, index));
  }

  const position = usePosition(form, { sections, answers, start: initialForm.at, onReached: passBoxes });
  const { typing } = position;
  const judgedAnswers = typing ? withAnswer(answers, typing.index, typing.before) : answers;
  const isFailing = (section: Section, index: number) =>
    isShownAsFailing(section, judgedAnswers[index], failures[index] !== undefined);
  /** The name under which photos of a failing answer are prepared. */
  const getPhotosName = (index: number) => `checklist ${user.id} ${checklist.id} ${index}`;
  // Photos of answers that no longer fail wait until these fail again.
  const photosNames = sections.flatMap((section, index) => (isFailing(section, index) ? [getPhotosName(index)] : []));
  const isPreparing = useIsPreparing(photosNames);

  const hasInput = Object.keys(answers).length > 0 || hasFailureInput(failures);

  const storeDraft = () =>
    saveChecklistDraft(user.id, checklist, {
      answers,
      failures,
      park: chosenPark,
      key: initialForm.key,
      at: position.getCurrent(),
    });

  const saveDraft = useEffectEvent(() => {
    const isUnchanged =
      answers === initialForm.answers && failures === initialForm.failures && chosenPark === (initialForm.park ?? '');
    if (isUnchanged || isFrozen) return;
    const failing = selectFailing(sections, answers, failures);
    if (refused) saveCorrection(refused.id, { ...refused.body, data: answers, failures: failing });
    else if (!hasInput) deleteChecklistDraft(user.id, checklist.id);
    else if (!storeDraft()) feedback.showError('Failed to save progress');
  });

  // Saves each change at once, so that closing the tab loses nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every change of the answers
  useEffect(() => saveDraft(), [answers, failures, chosenPark]);

  function setAnswer(index: number, answer: Answer | undefined) {
    change((answers) => withPassedBoxes(sections, withAnswer(answers, index, answer), index));
    setErrors((errors) => removeErrors(errors, String(index)));
    setReason('');
  }

  function changeFailure(index: number, change: (failure: Failure) => Failure) {
    setFailures((failures) => ({ ...failures, [index]: change(failures[index] ?? emptyFailure) }));
    // Hides the error until the next attempt to submit.
    setFollowUpErrors((errors) => ({ ...errors, ...(errors[`${index}.note`] && { [`${index}.note`]: '' }) }));
    if (isChangeable) {
      outboxState.withdraw();
      setItemId(undefined);
    }
    setReason('');
  }

  /** Gives the draft that was started without a session to the signed-in user. */
  function claimSignedOutDraft() {
    const found = findChecklistDraft(signedOutUserId, newest);
    if (found) change(() => found.answers);
    if (found?.failures) setFailures(found.failures);
    deleteChecklistDraft(signedOutUserId, newest.id);
    setSignedOutDraftTime(undefined);
  }

  function save() {
    // Without answers there is nothing to save, and the checklist is not in progress.
    if (!hasInput) {
      deleteChecklistDraft(user.id, checklist.id);
      return feedback.showError('There is nothing to save yet');
    }
    if (!refused && !storeDraft()) return feedback.showError('Failed to save progress');
    setSavedAnswers(answers);
    feedback.showSuccess(saved);
  }

  function clear() {
    if (!refused) deleteChecklistDraft(user.id, checklist.id);
    if (hasInput) setCleared({ answers, failures });
    change(() => ({}));
    setFailures({});
    for (const index of sections.keys()) cancelPreparation(getPhotosName(index));
    setFollowUpErrors({});
    setResetCount(resetCount + 1);
    setErrors({});
    setReason('');
    feedback.showSuccess('Progress cleared!');
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSending || isDone || isWaiting) return;
    if (isFrozen) return outboxState.retry();
    position.endTyping();
    passBoxes(sections.length);
    checkAndSend();
  }

  function checkAndSend() {
    const unanswered = findMissingAnswers(sections, answers).map((index) => [index, requiredMessage]);
    const found: AnswerErrors = { ...Object.fromEntries(unanswered), ...parseAnswers(sections, answers).errors };
    const missing = Object.fromEntries(
      Object.entries(findErrors(sections, answers, failures, park, user)).filter(
        ([name]) => !isPreparing || !name.endsWith('.mediaFiles'),
      ),
    );
    const [first] = [...Object.values(found), ...Object.values(missing)];
    if (!first && isPreparing) return setWaiting(true);
    if (!first) return void send();
    setErrors(found);
    setFollowUpErrors(missing);
    feedback.showError(Object.values(found).find((error) => error !== requiredMessage) ?? missingFieldsMessage);
    if (form.current) focusFirstError(form.current);
  }

  const submitIfWaiting = useEffectEvent(() => {
    if (!isWaiting) return;
    setWaiting(false);
    if (hasProblems(photosNames)) feedback.showError('The checklist was not submitted: a photo could not be added.');
    else checkAndSend();
  });
  useEffect(() => {
    if (!isPreparing) submitIfWaiting();
  }, [isPreparing]);

  async function send() {
    setReason('');
    setStoring(true);
    // Changed content gets a new key.
    const id = refused ? newUuid() : initialForm.key;
    const failureInput = {
      failures: selectFailing(sections, answers, failures),
      ...(needsPark(sections, answers, user) && { park }),
      ...(refused && { rejected: refused }),
    };
    try {
      const { isStored } = await submit(await createSubmission(checklist, answers, user, id, failureInput), {
        replaces: refused?.id,
      });
      if (isStored && !refused) deleteChecklistDraft(user.id, checklist.id);
      setItemId(id);
    } catch (error) {
      feedback.showError(failed);
      const noSpaceText = `There is no room on this device to save it. ${answersKeptText} Submit again when you are back online.`;
      setReason(error instanceof LostPhotoError ? error.message : noSpaceText);
    }
    setStoring(false);
  }

  function explain(error: SendError) {
    const isStored = phase !== 'retrying' || submission.isStored;
    feedback.showError(error.status === 0 ? 'An error occurred. Please try again.' : failed);
    const next = phase === 'retrying' && isStored ? savedForRetry : error.status === 0 ? answersKeptText : '';
    setReason(joinSentences(getErrorReason(error), next));
    const failureFieldErrors = Object.entries(error.fields).filter(([name]) => /^(?:failures\.|park$)/.test(name));
    setFollowUpErrors(
      Object.fromEntries(failureFieldErrors.map(([name, error]) => [name.replace(/^failures\./, ''), error])),
    );
    const found = Object.entries(error.fields)
      .filter((entry) => !failureFieldErrors.includes(entry))
      .map(([name, error]) => [name.replace(/^data\.?/, ''), error]);
    if (found.length > 0) {
      setErrors(Object.fromEntries(found));
      if (form.current) focusFirstError(form.current);
    }
  }

  const handlePhase = useEffectEvent(() => {
    if (isDone) onSubmitted();
    else if (isFromThisForm && (phase === 'refused' || phase === 'retrying')) explain(submission.error);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the submission changes
  useEffect(() => handlePhase(), [phase, isFromThisForm]);

  // All checklists share one message.
  const isSaved = feedback.shown?.text === saved && savedAnswers === answers;
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-label={checklist.title}>
      {signedOutDraftTime !== undefined && Object.keys(answers).length === 0 && !isFrozen && (
        <SignedOutDraftOffer what="checklist" at={signedOutDraftTime} onContinue={claimSignedOutDraft} />
      )}
      <ChecklistNotices initialForm={initialForm} isOutdated={newest.version !== checklist.version} />
      <fieldset className={styles.sections} disabled={isFrozen} {...position.handlers}>
        {sections.map((section, index) => (
          // A new key also clears a signature that is not saved yet.
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the name of a section
          <Fragment key={`${index} ${resetCount}`}>
            <SectionField
              section={section}
              index={index}
              answer={answers[index]}
              error={errors[index]}
              onChange={setAnswer}
            />
            {isFailing(section, index) && (
              <Suspense>
                <FailureFields
                  section={section}
                  form={getPhotosName(index)}
                  failure={failures[index] ?? emptyFailure}
                  noteError={followUpErrors[`${index}.note`]}
                  photoError={followUpErrors[`${index}.mediaFiles`]}
                  submitted={isFromThisForm ? submission.item : undefined}
                  onChange={(change) => changeFailure(index, change)}
                />
              </Suspense>
            )}
          </Fragment>
        ))}
        {needsPark(sections, judgedAnswers, user) && (
          <NativeSelect
            label="Park"
            description={createsAudit(sections, judgedAnswers) && 'An audit will be created there.'}
            required
            value={park}
            data={user.parks ?? [{ value: '', label: 'Choose a park' }, ...parks]}
            error={followUpErrors.park}
            onChange={(event) => {
              setPark(event.currentTarget.value as Park | '');
              setFollowUpErrors(({ park: _, ...others }) => others);
            }}
          />
        )}
      </fieldset>
      {position.isLong && !isFrozen && (
        <div className={styles.progress}>
          <Text>
            {sections.length - position.unanswered.length} of {sections.length} answered
          </Text>
          {position.unanswered.length > 0 && (
            <Button variant="default" onClick={position.showNextUnanswered}>
              Next Unanswered
            </Button>
          )}
        </div>
      )}
      <ErrorBox message={reason} />
      <StatusLine status={isWaiting ? processing : undefined} />
      <div className={styles.actions}>
        <Button variant="default" disabled={isFrozen} onClick={save}>
          {isSaved ? 'Progress Saved' : 'Save Progress'}
        </Button>
        <Button variant="default" disabled={isFrozen || isPreparing} onClick={clear}>
          Clear Progress
        </Button>
        {cleared && !hasInput && (
          <Button
            variant="default"
            leftSection={<Undo2 aria-hidden size={18} />}
            onClick={() => {
              change(() => cleared.answers);
              setFailures(cleared.failures);
            }}
          >
            Undo Clearing
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<Printer aria-hidden size={18} />}
          onClick={() => setPrintedAnswers({ answers })}
        >
          Print Checklist
        </Button>
        <Button
          variant="default"
          leftSection={<Printer aria-hidden size={18} />}
          onClick={() => setPrintedAnswers({ answers: undefined })}
        >
          Print Empty Form
        </Button>
        <Button type="submit" loading={isSending || isWaiting} disabled={isDone} className={styles.submit}>
          Submit Checklist
        </Button>
      </div>
      {printedAnswers && (
        <PrintableChecklist
          title={checklist.title}
          sections={sections}
          answers={printedAnswers.answers}
          failures={failures}
          by={user.username}
          onPrinted={() => setPrintedAnswers(undefined)}
        />
      )}
    </form>
  );
}

function ChecklistNotices({
  initialForm: { changed },
  isOutdated,
}: {
  initialForm: ChecklistDraft;
  isOutdated: boolean;
}) {
  if (!changed && !isOutdated) return null;
  return (
    <div role="status" className={styles.notice}>
      <Info aria-hidden />
      <div>
        {changed && (
          <Text>
            This checklist has changed since you began.{' '}
            {changed.lostCount === 0
              ? 'All your answers were kept.'
              : `${changed.lostCount === 1 ? '1 answer was' : `${changed.lostCount} answers were`} not kept, because the section is no longer there.`}
          </Text>
        )}
        {isOutdated && <Text>This checklist has been updated. You can carry on with the version you see here.</Text>}
      </div>
    </div>
  );
}
