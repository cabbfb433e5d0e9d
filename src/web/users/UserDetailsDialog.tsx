import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { type User, UserDetails } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useSave } from '../client/useSave.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { DetailFields } from './DetailFields.tsx';
import { detailsNotSaved } from './messages.ts';

type UserDetailsDialogProps = { user: User | undefined; onClose: () => void; onSaved: () => void };

/** An Admin sets a user's full name and email address. */
export function UserDetailsDialog({ user, ...actions }: UserDetailsDialogProps) {
  return (
    <Dialog opened={user !== undefined} onClose={actions.onClose} title={`Name and email of ${user?.username ?? ''}`}>
      {user && <DetailsForm user={user} {...actions} />}
    </Dialog>
  );
}

type Sent = { full_name: string; email: string };

function DetailsForm({ user, onClose, onSaved }: UserDetailsDialogProps & { user: User }) {
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<Sent, unknown>(`details of user ${user.id}`, {
    send: (body) => callApi(api.updateUserDetails, { params: { id: user.id }, body }),
    form,
    onSaved,
  });
  const { errors } = saving;
  const [left] = useState(saving.sent);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget)) as Sent;
    if (!saving.showErrors(getFieldErrors(UserDetails, body))) saving.save(body);
  };
  return (
    <form ref={form} onSubmit={submit} onChange={saving.clearErrorOf} noValidate>
      <Stack>
        <DetailFields withEmail errors={errors} defaults={left ?? user} />
        <ErrorBox
          message={
            saving.error && Object.keys(errors).length === 0 ? describeFailure(saving.error, detailsNotSaved) : ''
          }
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
