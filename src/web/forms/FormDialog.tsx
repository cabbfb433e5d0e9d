import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { ApiError } from '#shared/client.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { FormElement } from './FormElement.tsx';
import type { Form } from './useForm.ts';

type FormDialogProps = Pick<ComponentProps<typeof Dialog>, 'size' | 'title'> & {
  form: Form;
  /** The label of the button that saves; undefined for none. */
  submit: string | undefined;
  /** The message if saving failed. The server's reason is shown below a text, but not below a function's. */
  failed: string | ((error: ApiError) => string);
  isDangerous?: boolean;
  /** A button in place of Cancel, in a dialog that cannot be closed. */
  otherWay?: { label: string; onClick: () => void } | undefined;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog that is one form. It asks before unsaved input is lost. */
export function FormDialog({
  form,
  submit,
  failed,
  isDangerous,
  otherWay,
  onClose,
  children,
  ...props
}: FormDialogProps) {
  const { failure, isSaving } = form;
  const discard = useConfirmDiscard(form.isTyped && !isSaving && !otherWay, () => {
    form.discard();
    onClose();
  });
  const message = failure && (typeof failed === 'string' ? failed : failed(failure));
  return (
    <Dialog
      opened
      discard={discard}
      withCloseButton={!otherWay}
      closeOnEscape={!otherWay}
      closeOnClickOutside={false}
      {...props}
    >
      <FormElement form={form}>
        <Stack>
          {children}
          <ErrorBox message={message ?? ''} reason={typeof failed === 'string' ? failure?.message : undefined} />
          <Group justify="flex-end">
            <Button variant="default" onClick={otherWay?.onClick ?? discard.close}>
              {otherWay?.label ?? 'Cancel'}
            </Button>
            {submit && (
              <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isSaving}>
                {submit}
              </Button>
            )}
          </Group>
        </Stack>
      </FormElement>
    </Dialog>
  );
}
