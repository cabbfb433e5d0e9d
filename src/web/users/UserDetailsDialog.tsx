import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { type User, UserDetails } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useSave } from '../client/useSave.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { DetailFields } from './DetailFields.tsx';
import { detailsErrors } from './messages.ts';

type UserDetailsVariables = { full_name: string; email: string };
type UserDetailsDialogProps = { user: User; onClose: () => void; onSaved: () => void };

/** An Admin sets a user's full name and email address. */
export function UserDetailsDialog({ user, onClose, onSaved }: UserDetailsDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<UserDetailsVariables, unknown>(`details of user ${user.id}`, {
    send: (body) => callApi(api.updateUserDetails, { params: { id: user.id }, body }),
    isOpenedByUser: true,
    form,
    onSaved,
  });
  const { errors, failure } = saving;
  const [unsavedInput] = useState(saving.variables);
  const [isTyped, setTyped] = useState(unsavedInput !== undefined);
  const discard = useConfirmDiscard(isTyped && !saving.isSaving, () => {
    saving.dismiss();
    onClose();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget)) as UserDetailsVariables;
    if (!saving.showErrors(getFieldErrors(UserDetails, body))) saving.save(body);
  };
  return (
    <Dialog opened discard={discard} title={`Name and Email of ${user.username}`}>
      <form
        ref={form}
        onSubmit={submit}
        onChange={(event) => {
          setTyped(true);
          saving.clearErrorOf(event);
        }}
        noValidate
      >
        <Stack>
          <DetailFields withEmail errors={errors} defaults={unsavedInput ?? user} />
          <ErrorBox message={failure ? describeFailure(failure, detailsErrors) : ''} />
          <Group justify="flex-end">
            <Button variant="default" onClick={discard.close}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
