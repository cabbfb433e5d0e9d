import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Info, Printer, Undo2 } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type AnswerErrors,
  type Answers,
  findMissingAnswers,
  missingFieldsMessage,
  parseAnswers,
  requiredMessage,
} from '#shared/answers.ts';
import { api } from '#shared/api.ts';
import type { Answer, Checklist } from '#shared/checklists.ts';
import { ApiError } from '#shared/client.ts';
import { mutationWithRetryFor, queryClient } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { focusFirstError } from '../ui/forms/fieldErrors.ts';
import styles from './ChecklistForm.module.css';
import {
  type ChecklistDraft,
  createChecklistDraft,
  deleteChecklistDraft,
  findChecklistDraft,
  saveChecklistDraft,
} from './checklistDrafts.ts';
import { PrintableChecklist } from './PrintableChecklist.tsx';
import { SectionField } from './SectionField.tsx';

const saved = 'Progress saved!';

type ChecklistFormProps = {
  checklist: Checklist;
  feedback: ReturnType<typeof useFeedback>;
  onSubmitted: () => void;
};

export function ChecklistForm({ checklist: newest, feedback, onSubmitted }: ChecklistFormProps) {
  const user = useUser();
  // Keeps the version that was opened: answers are bound to its sections.
  const [checklist] = useState(newest);
  const { sections } = checklist;
  const [begun] = useState<ChecklistDraft>(() => findChecklistDraft(user.id, checklist) ?? createChecklistDraft());
  const [answers, setAnswers] = useState(begun.answers);
  const [key, setKey] = useState(begun.key);
  const [errors, setErrors] = useState<AnswerErrors>({});
  const [reason, setReason] = useState('');
  const [cleared, setCleared] = useState<Answers>();
  const [clearings, setClearings] = useState(0);
  const [kept, setKept] = useState<Answers>();
  const [printing, setPrinting] = useState<{ answers: Answers | undefined }>();
  const submission = useMutation(mutationWithRetryFor(api.submitChecklist));
  const form = useRef<HTMLFormElement>(null);

  const saveDraft = useEffectEvent(() => {
    if (submission.isSuccess || answers === begun.answers) return;
    if (Object.keys(answers).length === 0) deleteChecklistDraft(user.id, checklist.id);
    else if (!saveChecklistDraft(user.id, checklist, { answers, key })) feedback.showError('Failed to save progress');
  });

  // Saves each change at once, so that closing the tab loses nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every change of the answers
  useEffect(() => saveDraft(), [answers, key]);

  function answerOne(index: number, answer: Answer | undefined) {
    setAnswers(({ [index]: _, ...others }) => (answer === undefined ? others : { ...others, [index]: answer }));
    setErrors(({ [index]: _, ...others }) => others);
    setReason('');
  }

  function save() {
    // With nothing filled in there is nothing to save, and the checklist is not in progress.
    if (Object.keys(answers).length === 0) deleteChecklistDraft(user.id, checklist.id);
    else if (!saveChecklistDraft(user.id, checklist, { answers, key }))
      return feedback.showError('Failed to save progress');
    setKept(answers);
    feedback.showSuccess(saved);
  }

  function clear() {
    deleteChecklistDraft(user.id, checklist.id);
    if (Object.keys(answers).length > 0) setCleared(answers);
    setAnswers({});
    setClearings(clearings + 1);
    setErrors({});
    setReason('');
    feedback.showSuccess('Progress cleared!');
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = parseAnswers(sections, answers).errors;
    for (const index of findMissingAnswers(sections, answers)) found[index] ??= requiredMessage;
    const [first] = Object.values(found);
    if (first)
      return refuse(found, Object.values(found).find((error) => error !== requiredMessage) ?? missingFieldsMessage);
    setReason('');
    const body = { checklistId: checklist.id, checklistVersion: checklist.version, data: answers };
    submission.mutate({ body, key }, { onSuccess: finish, onError: explain });
  }

  function refuse(found: AnswerErrors, message: string) {
    setErrors(found);
    feedback.showError(message);
    if (form.current) focusFirstError(form.current);
  }

  function finish() {
    deleteChecklistDraft(user.id, checklist.id);
    feedback.showSuccess('Checklist submitted successfully!');
    onSubmitted();
  }

  function explain(error: Error) {
    if (!(error instanceof ApiError) || error.status === 0) {
      setReason('The server could not be reached. Your answers are still here.');
      return feedback.showError('An error occurred. Please try again.');
    }
    feedback.showError('Failed to submit checklist. Please try again.');
    setReason(error.message);
    // It was deleted: the answers move to where they can be copied and printed.
    if (error.status === 404) void queryClient.invalidateQueries();
    if (error.code === 'KEY_REUSED') {
      // The first attempt succeeded, and the answers were changed since.
      setReason(joinSentences(error.message, 'Submit again to send what you have changed since, too.'));
      setKey(newUuid());
    }
    const found = Object.entries(error.fields).map(([name, error]) => [name.replace(/^data\.?/, ''), error]);
    if (found.length > 0) {
      setErrors(Object.fromEntries(found));
      if (form.current) focusFirstError(form.current);
    }
  }

  // All checklists share one message.
  const isSaved = feedback.shown?.text === saved && kept === answers;
  return (
    <form ref={form} noValidate onSubmit={submit} aria-label={checklist.title}>
      <Notices begun={begun} isOutdated={newest.version !== checklist.version} />
      <fieldset className={styles.sections} disabled={submission.isPending || submission.isSuccess}>
        {sections.map((section, index) => (
          <SectionField
            // Also clears a signature that is not saved yet.
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the name of a section
            key={`${index} ${clearings}`}
            section={section}
            index={index}
            answer={answers[index]}
            error={errors[index]}
            onChange={answerOne}
          />
        ))}
        <ErrorBox message={reason} />
        <div className={styles.actions}>
          <Button variant="default" onClick={save}>
            {isSaved ? 'Progress Saved' : 'Save Progress'}
          </Button>
          <Button variant="default" onClick={clear}>
            Clear Progress
          </Button>
          {cleared && Object.keys(answers).length === 0 && (
            <Button variant="default" leftSection={<Undo2 aria-hidden size={18} />} onClick={() => setAnswers(cleared)}>
              Undo clearing
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<Printer aria-hidden size={18} />}
            onClick={() => setPrinting({ answers })}
          >
            Print Checklist
          </Button>
          <Button
            variant="default"
            leftSection={<Printer aria-hidden size={18} />}
            onClick={() => setPrinting({ answers: undefined })}
          >
            Print empty form
          </Button>
          <Button type="submit" loading={submission.isPending} className={styles.submit}>
            Submit Checklist
          </Button>
        </div>
      </fieldset>
      {printing && (
        <PrintableChecklist
          title={checklist.title}
          sections={sections}
          answers={printing.answers}
          by={user.username}
          onPrinted={() => setPrinting(undefined)}
        />
      )}
    </form>
  );
}

function Notices({ begun: { changed }, isOutdated }: { begun: ChecklistDraft; isOutdated: boolean }) {
  if (!changed && !isOutdated) return null;
  return (
    <div role="status" className={styles.notice}>
      <Info aria-hidden />
      <div>
        {changed && (
          <Text>
            This checklist has changed since you began.{' '}
            {changed.lost === 0
              ? 'All your answers were kept.'
              : `${changed.lost === 1 ? '1 answer was' : `${changed.lost} answers were`} not kept, because the section is no longer there.`}
          </Text>
        )}
        {isOutdated && <Text>This checklist has been updated. You can carry on with the version you see here.</Text>}
      </div>
    </div>
  );
}
