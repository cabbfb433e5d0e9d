import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { FormElement } from './FormElement.tsx';
import type { Form } from './useForm.ts';

type InlineFormProps = {
  form: Form;
  label?: string;
  /** The label of the button that saves. */
  submit: string;
  /** The message if saving failed, above the server's reason. */
  failed: string;
  isDisabled?: boolean;
  /** For a form that a button opened: adds Cancel, which discards the input. */
  onClose?: () => void;
  children: ReactNode;
};

/** A form on a page, between other things. */
export function InlineForm({ form, label, submit, failed, isDisabled = false, onClose, children }: InlineFormProps) {
  const cancel = () => {
    form.discard();
    onClose?.();
  };
  return (
    <FormElement form={form} aria-label={label}>
      <Stack w="100%">
        {children}
        <ErrorBox message={form.failure ? failed : ''} reason={form.failure?.message} />
        <Group gap="xs">
          <Button type="submit" disabled={isDisabled} loading={form.isSaving}>
            {submit}
          </Button>
          {onClose && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </FormElement>
  );
}
