import { Button, NativeSelect, Text } from '@mantine/core';
import { Info, Printer, Undo2 } from 'lucide-react';
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import { canSeePark } from '#shared/access.ts';
import {
  type Answers,
  checkAnswers,
  findAnsweredPark,
  missingFieldsMessage,
  placeHeadings,
  requiredMessage,
  withAnswer,
} from '#shared/answers.ts';
import { type Answer, type Checklist, type Section, takesNotes } from '#shared/checklists.ts';
import { createsAudit } from '#shared/failing-answers.ts';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { isShown } from '#shared/shown-questions.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { createStore } from '../createStore.ts';
import { SignedOutDraftOffer } from '../drafts/SignedOutDraftOffer.tsx';
import type { OutboxItem } from '../outbox/items.ts';
import { saveCorrection } from '../outbox/outbox.ts';
import { isSubmitting } from '../outbox/outboxFormState.ts';
import { useOutboxForm } from '../outbox/useOutboxForm.ts';
import type { SubmissionState, useSubmission } from '../outbox/useSubmission.ts';
import { cancelPreparation } from '../photos/preparing.ts';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { listFormParks } from '../ui/forms/parkChoices.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import styles from './ChecklistForm.module.css';
import {
  type ChecklistDraft,
  createChecklistDraft,
  deleteChecklistDraft,
  findChecklistDraft,
  findDraftTime,
  hasChecklistDraft,
  moveChecklistDraft,
  type PlaceId,
  saveChecklistDraft,
} from './checklistDrafts.ts';
import { answersKept, getChecklistStatus, isChecklistDeleted, submitFailed } from './checklistStatus.ts';
import {
  type EnteredFailures,
  emptyFailure,
  type Failure,
  findFollowUpErrors,
  hasFailureInput,
  hasNote,
  isShownAsFailing,
  needsPark,
  selectNotes,
  withSkippedBoxes,
} from './failures.ts';
import { OtherPlaceDialog } from './OtherPlaceDialog.tsx';
import { PrintableChecklist } from './PrintableChecklist.tsx';
import { QuestionFrame, SectionField } from './SectionField.tsx';
import {
  createChecklistSubmission,
  getChecklistFormName,
  LostPhotoError,
  readChecklistSubmission,
} from './submittedChecklist.ts';
import { usePosition } from './usePosition.ts';

const FailureFields = lazyComponent(() => import('./FailureFields.tsx'), 'FailureFields');

const saved = 'Progress saved!';

/** The first question for the park says where the submission is from. */
const findParkQuestion = (sections: Section[]) => sections.findIndex(({ type }) => type === 'site');

/** Returns the errors by field of the form: the answer to a question of type `photo` is its photos. */
const toFieldErrors = (sections: Section[], errors: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [
      sections[Number(name)]?.type === 'photo' ? `${name}.mediaFiles` : name,
      text,
    ]),
  );

type InitialForm = ChecklistDraft & {
  failures: EnteredFailures;
  /** The version being filled in, to whose sections the answers belong. */
  checklist: Checklist;
  /** Answers filled in automatically, which are not the user's input. */
  suggested: Answers;
  /** The id of the outbox item with these answers, if they were submitted. */
  itemId?: string;
};

/** Returns the submitted answers that have not arrived, else the draft, else an empty form. */
function getInitialForm(
  userId: string,
  newest: Checklist,
  { phase, item }: SubmissionState,
  place: CheckedPlace | null,
  suggestedPark: string,
): InitialForm {
  // The form of an item that waits for a connection is free for the next submission.
  if (item && phase !== 'saved') {
    const { checklist, ...entered } = readChecklistSubmission(item);
    const filledIn = { ...checklist, notes: newest.notes };
    return { ...entered, checklist: filledIn, suggested: {}, key: item.id, itemId: item.id };
  }
  const { failures = {}, ...draft } = findChecklistDraft(userId, newest, place?.id ?? null) ?? createChecklistDraft();
  const question = findParkQuestion(newest.sections);
  const suggested = suggestedPark && question >= 0 ? { [question]: suggestedPark } : {};
  const answers = { ...suggested, ...draft.answers, ...(place && suggested) };
  return { checklist: newest, failures, ...draft, answers, suggested };
}

const findSignedOutDraftTime = (userId: string, checklistId: string) =>
  userId === signedOutUserId ? undefined : findDraftTime(signedOutUserId, checklistId);

type ChecklistFormProps = {
  checklist: Checklist;
  outboxState: ReturnType<typeof useSubmission>;
  feedback: ReturnType<typeof useFeedback>;
  /** Called when the checklist was sent, or waits on the device for a connection. */
  onSubmitted: () => void;
  /** The park of the due check from which the form was opened. */
  suggestedPark: string | undefined;
  /** The place that is checked, whose park answers the question for the park; null for the park as a whole. */
  place: CheckedPlace | null;
  /** Whether there are answers that were begun without a place. */
  hasEarlierAnswers: boolean;
  /** Returns the field above the questions with which the place is changed. */
  renderPlaceField: (change: (place: CheckedPlace | null) => void, isDisabled: boolean) => ReactNode;
  onPlaceChange: (place: CheckedPlace | null) => void;
};

export function ChecklistForm({
  checklist: newest,
  outboxState,
  feedback,
  onSubmitted,
  suggestedPark,
  place,
  hasEarlierAnswers,
  renderPlaceField,
  onPlaceChange,
}: ChecklistFormProps) {
  const user = useUser();
  const showName = useNames();
  const { submission } = outboxState;
  const [initialForm] = useState(() =>
    getInitialForm(user.id, newest, submission, place, place?.park ?? suggestedPark ?? user.park),
  );
  const placeId = place?.id ?? null;
  const { checklist } = initialForm;
  const { sections } = checklist;
  /** The questions at which a note was begun. */
  const [openNotes, setOpenNotes] = useState<number[]>([]);
  const [cleared, setCleared] = useState<Pick<InitialForm, 'answers' | 'failures'>>();
  const [savedAnswers, setSavedAnswers] = useState<Answers>();
  const [printedAnswers, setPrintedAnswers] = useState<{ answers: Answers | undefined }>();
  const [signedOutDraftTime, setSignedOutDraftTime] = useState(() => findSignedOutDraftTime(user.id, newest.id));
  /** The place that was chosen for answers that are from another. */
  const [otherPlace, setOtherPlace] = useState<{ to: CheckedPlace | null }>();
  const [isAskingForEarlier, setAskingForEarlier] = useState(
    hasEarlierAnswers && submission.phase !== 'refused' && !hasChecklistDraft(user.id, newest.id, placeId),
  );

  /** The name under which photos of a failing answer are prepared. */
  const getPhotosName = (index: number) =>
    ['checklist', user.id, checklist.id, ...(placeId === null ? [] : [placeId]), index].join(' ');
  const { suggested } = initialForm;
  const isInput = ({ answers, failures }: InitialForm) =>
    Object.entries(answers).some(([index, answer]) => answer !== suggested[index]) || hasFailureInput(failures);

  const getPark = ({ park = '' }: InitialForm) =>
    place?.park ?? [park, suggestedPark].find((name) => name && canSeePark(user, name)) ?? user.park;

  /** The question that was used last. */
  const [at] = useState(() => createStore(initialForm.at));
  const storeDraft = (entered: InitialForm) =>
    saveChecklistDraft(user.id, checklist, place, { ...entered, at: at.get() });
  const deleteDraft = () => deleteChecklistDraft(user.id, checklist.id, placeId);

  /** Answers are in local storage. Those that correct a rejected checklist are in its item. */
  const stored = {
    key: getChecklistFormName(checklist.id, placeId),
    keys: [],
    save(entered: InitialForm, refused?: OutboxItem) {
      const { failures: _, notes, people, ...body } = refused?.body ?? {};
      const { answers, failures } = entered;
      if (refused) saveCorrection(refused.id, { ...body, data: answers, ...selectNotes(checklist, answers, failures) });
      else if (!isInput(entered)) deleteDraft();
      else if (!storeDraft(entered)) feedback.showError('Failed to save progress');
    },
    stop() {},
    delete: deleteDraft,
  };
  const form = useOutboxForm<InitialForm>(
    { initialValues: initialForm, isRestored: false, submittedItemId: initialForm.itemId, stored, outboxState },
    {
      describe: (submission, isFromThisForm) => (isFromThisForm ? getChecklistStatus(submission) : undefined),
      keepsEarlier: false,
      // Submitting does not wait for photos of answers that no longer fail.
      listPhotoNames: ({ answers, failures }) =>
        sections.flatMap((section, index) =>
          isShown(sections, answers, index) &&
          (takesNotes(section, checklist.notes) ||
            isShownAsFailing(section, answers[index], failures[index] !== undefined))
            ? [getPhotosName(index)]
            : [],
        ),
      waitingText: 'The checklist is submitted when they are ready. Stay on this screen.',
      check: (draft) => ({
        ...toFieldErrors(sections, checkAnswers(sections, draft.answers, draft.failures).errors),
        ...findFollowUpErrors(sections, draft.answers, draft.failures, getPark(draft), user),
      }),
      describeErrors(errors) {
        const invalid = Object.entries(errors).find(([name, text]) => /^\d+$/.test(name) && text !== requiredMessage);
        feedback.showError(invalid?.[1] ?? missingFieldsMessage);
        return undefined;
      },
      toSubmission: (draft, key, refused) =>
        createChecklistSubmission(checklist, draft.answers, user, key, {
          ...selectNotes(checklist, draft.answers, draft.failures),
          ...((place || needsPark(sections, draft.answers, user)) && { park: getPark(draft) }),
          // Without signing in, no one is asked for the place.
          ...(refused ? { rejected: refused } : { place: user.id === signedOutUserId ? undefined : place }),
        }),
      describeFailure(error) {
        const noSpaceText = `There is no room on this device to save it. ${answersKept} Submit again when you are back online.`;
        return {
          kind: 'error',
          text: submitFailed,
          hint: error instanceof LostPhotoError ? error.message : noSpaceText,
        };
      },
      explain(_, error) {
        if (isChecklistDeleted(error)) feedback.showError(submitFailed);
        const errors = Object.entries(error.fields).map(([name, text]) => [
          name.replace(/^(?:data|failures|notes|people)\.?/, ''),
          text,
        ]);
        return toFieldErrors(sections, Object.fromEntries(errors));
      },
      getNext() {
        onSubmitted();
        return undefined;
      },
    },
  );
  const element = useRef<HTMLFormElement>(null);
  const { edit, errors, state, isPreparing, refused } = form;
  const { answers, failures } = form.draft;
  const chosenPark = form.draft.park ?? '';
  const park = getPark(form.draft);
  const isDone = state.name === 'done';
  const isFrozen = form.isFrozen || isDone;

  /** Shows boxes above this question that were left unticked as failing, so that they ask for a note. */
  function passBoxes(index: number) {
    if (isFrozen || withSkippedBoxes(sections, answers, index) === answers) return;
    edit(({ answers }) => ({ answers: withSkippedBoxes(sections, answers, index) }));
  }

  const position = usePosition(element, { sections, answers, failures, at, onReached: passBoxes });
  const { typing } = position;
  // While a number is being typed, its earlier answer counts.
  const judgedAnswers = typing ? withAnswer(answers, typing.index, typing.before) : answers;
  const isFailing = (section: Section, index: number) =>
    isShownAsFailing(section, judgedAnswers[index], failures[index] !== undefined);
  const headings = placeHeadings(sections, (index) => isShown(sections, judgedAnswers, index));
  const auditPark = findAnsweredPark(sections, judgedAnswers) || park;
  const hasInput = isInput(form.draft);

  function setAnswer(index: number, answer: Answer | undefined) {
    edit(
      ({ answers }) => ({ answers: withSkippedBoxes(sections, withAnswer(answers, index, answer), index) }),
      String(index),
    );
  }

  function changeFailure(index: number, change: (failure: Failure) => Failure) {
    edit(
      ({ failures }) => ({ failures: { ...failures, [index]: change(failures[index] ?? emptyFailure) } }),
      ...['note', 'mediaFiles', 'date'].map((field) => `${index}.${field}`),
    );
  }

  function setPerson(index: number, userId: string | undefined) {
    if (userId !== failures[index]?.userId) changeFailure(index, (failure) => ({ ...failure, userId }));
  }

  /** Moves the draft that was started while signed out into this form. */
  function claimSignedOutDraft() {
    const found = findChecklistDraft(signedOutUserId, newest, null);
    const answers = { ...suggested, ...found?.answers, ...(place && suggested) };
    if (found) edit({ answers, ...(found.failures && { failures: found.failures }) });
    deleteChecklistDraft(signedOutUserId, newest.id, null);
    setSignedOutDraftTime(undefined);
  }

  function save() {
    // Without answers there is nothing to save, and the checklist is not in progress.
    if (!hasInput) {
      deleteDraft();
      return feedback.showError('There is nothing to save yet');
    }
    if (!refused && !storeDraft(form.draft)) return feedback.showError('Failed to save progress');
    setSavedAnswers(answers);
    feedback.showSuccess(saved);
  }

  function clear() {
    if (hasInput) setCleared({ answers, failures });
    edit({ answers: suggested, failures: {} });
    setOpenNotes([]);
    for (const index of sections.keys()) cancelPreparation(getPhotosName(index));
    form.clearMessages();
    feedback.showSuccess('Progress cleared!');
  }

  function undoClearing() {
    if (cleared) edit(cleared);
    feedback.hide();
  }

  /** Answers that were begun for the new place are shown, and those for this one stay with it. Otherwise it asks. */
  function changePlace(to: CheckedPlace | null) {
    if (hasInput && !hasChecklistDraft(user.id, checklist.id, to?.id ?? null)) setOtherPlace({ to });
    else onPlaceChange(to);
  }

  /** Clears the answers of one place, or gives them to another, and shows the form for that one. */
  function leavePlace(from: PlaceId, to: CheckedPlace | null, isMoved: boolean) {
    if (isMoved) moveChecklistDraft(user.id, checklist, from, to);
    else deleteChecklistDraft(user.id, checklist.id, from);
    onPlaceChange(to);
  }

  function onSubmit(event: FormEvent) {
    position.endTyping();
    passBoxes(sections.length);
    form.props.onSubmit(event);
  }

  // All checklists share one toast, so it may be about other answers.
  const isSaved = feedback.shown?.text === saved && savedAnswers === answers;
  return (
    <form ref={element} {...form.props} onSubmit={onSubmit} aria-label={checklist.title}>
      {signedOutDraftTime !== undefined && !hasInput && !isFrozen && (
        <SignedOutDraftOffer what="checklist" at={signedOutDraftTime} onContinue={claimSignedOutDraft} />
      )}
      {renderPlaceField(changePlace, isFrozen || isPreparing || refused !== undefined)}
      <ChecklistNotices initialForm={initialForm} isOutdated={newest.version !== checklist.version} />
      <fieldset className={styles.sections} disabled={isFrozen} {...position.handlers}>
        {sections.map((section, index) => {
          if (!isShown(sections, judgedAnswers, index)) return null;
          const failure = failures[index];
          const kind = isFailing(section, index) ? 'failing' : section.type === 'photo' ? 'photo' : 'note';
          const isNoteOpen = hasNote(failure) || openNotes.includes(index);
          const frame = { section, index, heading: headings[index] ?? '' };
          const fields = (
            <FailureFields
              section={section}
              kind={kind}
              isOpened={kind === 'note' && openNotes.includes(index)}
              form={getPhotosName(index)}
              failure={failure ?? emptyFailure}
              park={auditPark}
              noteError={errors[`${index}.note`]}
              photoError={errors[`${index}.mediaFiles`]}
              dateError={errors[`${index}.date`]}
              submitted={form.isFromThisForm ? submission.item : undefined}
              onChange={(change) => changeFailure(index, change)}
            />
          );
          return (
            // A new key also clears a signature that is not saved yet.
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the name of a section
            <Fragment key={`${index} ${form.resetCount}`}>
              {kind === 'photo' ? (
                <QuestionFrame {...frame} error={errors[`${index}.mediaFiles`]}>
                  {fields}
                </QuestionFrame>
              ) : (
                <SectionField
                  {...frame}
                  answer={answers[index]}
                  error={errors[index]}
                  isFixed={place !== null && index === findParkQuestion(sections)}
                  onChange={setAnswer}
                  onPerson={setPerson}
                />
              )}
              {kind === 'failing' && fields}
              {kind === 'note' &&
                takesNotes(section, checklist.notes) &&
                (isNoteOpen ? (
                  fields
                ) : (
                  <Button
                    variant="subtle"
                    size="compact-md"
                    className={styles.addNote}
                    aria-label={`Add note or photo: ${section.title}`}
                    onClick={() => setOpenNotes((open) => [...open, index])}
                  >
                    Add note or photo
                  </Button>
                ))}
            </Fragment>
          );
        })}
        {!place && needsPark(sections, judgedAnswers, user) && (
          <NativeSelect
            label="Park"
            description={
              createsAudit(sections, judgedAnswers) && 'Audits of failing answers will be created at this park.'
            }
            required
            value={park}
            data={[...(user.parks ? [] : [{ value: '', label: 'Choose a park' }]), ...listFormParks(user, chosenPark)]}
            error={errors.park}
            onChange={(event) => edit({ park: event.currentTarget.value })}
          />
        )}
      </fieldset>
      {position.isLong && !isFrozen && (
        <div className={styles.progress} data-form-bar>
          <Text>
            {position.count - position.unanswered.length} of {position.count} answered
          </Text>
          {position.unanswered.length > 0 && (
            <Button variant="default" onClick={position.showNextUnanswered}>
              Next Unanswered
            </Button>
          )}
        </div>
      )}
      <StatusLine status={isPreparing && state.name !== 'preparing' ? undefined : form.status} />
      <div className={styles.actions}>
        <Button variant="default" disabled={isFrozen} onClick={save}>
          {isSaved ? 'Progress Saved' : 'Save Progress'}
        </Button>
        <Button variant="default" disabled={isFrozen || isPreparing} onClick={clear}>
          Clear Progress
        </Button>
        {cleared && !hasInput && (
          <IconButton icon={Undo2} onClick={undoClearing}>
            Undo Clearing
          </IconButton>
        )}
        <IconButton icon={Printer} onClick={() => setPrintedAnswers({ answers })}>
          Print Checklist
        </IconButton>
        <IconButton icon={Printer} onClick={() => setPrintedAnswers({ answers: undefined })}>
          Print Empty Form
        </IconButton>
        <Button type="submit" loading={isSubmitting(state)} disabled={isDone} className={styles.submit}>
          Submit Checklist
        </Button>
      </div>
      {printedAnswers && (
        <PrintableChecklist
          title={checklist.title}
          sections={sections}
          answers={printedAnswers.answers}
          failures={failures}
          place={place ?? undefined}
          by={showName(user.username)}
          onPrinted={() => setPrintedAnswers(undefined)}
        />
      )}
      {otherPlace && (
        <OtherPlaceDialog
          title={<>These answers are from {place ? <span translate="no">{place.name}</span> : 'the park as a whole'}</>}
          to={otherPlace.to}
          onClear={() => leavePlace(placeId, otherPlace.to, false)}
          onMove={() => leavePlace(placeId, otherPlace.to, true)}
          onClose={() => setOtherPlace(undefined)}
        />
      )}
      {isAskingForEarlier && (
        <OtherPlaceDialog
          title="These answers were begun without a place"
          to={place}
          onClear={() => leavePlace(null, place, false)}
          onMove={() => leavePlace(null, place, true)}
          onClose={() => setAskingForEarlier(false)}
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
              : `${changed.lostCount === 1 ? '1 answer was' : `${changed.lostCount} answers were`} not kept, because the question is no longer there.`}
          </Text>
        )}
        {isOutdated && <Text>This checklist has been updated. You can carry on with the version you see here.</Text>}
      </div>
    </div>
  );
}
