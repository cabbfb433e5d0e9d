// What a reviewer records about an investigation apart from its sections. It cannot be changed later.
import { Textarea } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { InvestigationNoteKind } from '#shared/investigations.ts';
import { callApiWithRetry } from '../client/api.ts';
import { type FormName, formNames } from '../formNames.ts';
import { FormButton, type FormButtonProps } from '../forms/FormButton.tsx';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { checkReview, IdentifierReview, type Review, readReview, toDecisions } from './IdentifierReview.tsx';

type NoteProps = {
  id: string;
  kind: InvestigationNoteKind;
  about?: string;
  label: string;
  submit: string;
  /** The text that the user edits. */
  start?: string;
  /** What to write, shown below the label. */
  description?: string;
};

/** The button that opens the form of a note. */
export function NoteButton({ note, ...button }: { note: NoteProps } & Omit<FormButtonProps, 'form' | 'children'>) {
  const name = formNames.investigationNote(note.kind, note.id, note.about ?? '');
  return (
    <FormButton form={name} {...button}>
      {(close) => <NoteForm {...note} name={name} onClose={close} />}
    </FormButton>
  );
}

const neverChanged = 'It is shown with your name and today’s date, and cannot be changed later.';

function NoteForm(props: NoteProps & { name: FormName; onClose: () => void }) {
  const { id, kind, about = '', label, submit, start = '', description, name, onClose } = props;
  const form = useForm<{ text: string; review: Review | null }>(name, {
    start: { text: start, review: null },
    check: ({ text, review }) => ({ ...(text.trim() === '' && { text: 'Enter the text' }), ...checkReview(review) }),
    toChanges: (_, changes) => ({ review: null, ...changes }),
    send({ text, review }, key) {
      const decisions = toDecisions(review);
      const body = { kind, about, text, ...(decisions && { decisions }) };
      return callApiWithRetry(api.addInvestigationNote, { params: { id }, body, key });
    },
    onFailed(error): void {
      form.set({ review: readReview(error) });
    },
    onSaved: onClose,
  });
  return (
    <InlineForm
      form={form}
      submit={submit}
      failed="This could not be saved. What you entered is still here."
      onClose={onClose}
    >
      <Textarea
        {...form.field('text')}
        label={label}
        description={[description, neverChanged].filter(Boolean).join(' ')}
        rows={start ? 14 : 2}
        maxLength={start ? textLimits.details : textLimits.note}
        data-autofocus
      />
      {form.values.review && (
        <IdentifierReview
          review={form.values.review}
          error={form.errors.review}
          onChange={(review) => form.set({ review })}
        />
      )}
    </InlineForm>
  );
}
