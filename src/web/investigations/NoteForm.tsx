// What a reviewer records about an investigation apart from its sections. It cannot be changed later.
import { Textarea } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { InvestigationNoteKind } from '#shared/investigations.ts';
import { callApiWithRetry } from '../client/api.ts';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';

type NoteFormProps = {
  id: string;
  kind: InvestigationNoteKind;
  about?: string;
  label: string;
  submit: string;
  /** The text to begin with, and more about it. */
  start?: string;
  description?: string;
  onClose: () => void;
};

export const getNoteFormName = (id: string, kind: InvestigationNoteKind, about = '') => `${kind} ${id} ${about}`;

const neverChanged = 'It is shown with your name and today’s date, and cannot be changed later.';

export function NoteForm({ id, kind, about = '', label, submit, start = '', description, onClose }: NoteFormProps) {
  const form = useForm<{ text: string }>(getNoteFormName(id, kind, about), {
    start: { text: start },
    check: ({ text }) => (text.trim() === '' ? { text: 'Write why, or what is corrected' } : {}),
    send: ({ text }, key) =>
      callApiWithRetry(api.addInvestigationNote, { params: { id }, body: { kind, about, text }, key }),
    onSaved: onClose,
  });
  return (
    <InlineForm form={form} submit={submit} failed="This could not be saved. It is still here." onClose={onClose}>
      <Textarea
        {...form.field('text')}
        label={label}
        description={[description, neverChanged].filter(Boolean).join(' ')}
        rows={start ? 14 : 2}
        maxLength={start ? textLimits.details : textLimits.note}
        data-autofocus
      />
    </InlineForm>
  );
}
