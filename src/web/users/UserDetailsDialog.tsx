import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { type User, UserDetails } from '#shared/users.ts';
import { mutationFor } from '../client/api.ts';
import { describeFailure, readError } from '../client/errors.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
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

function DetailsForm({ user, onClose, onSaved }: UserDetailsDialogProps & { user: User }) {
  const save = useMutation(mutationFor(api.updateUserDetails));
  const [errors, setErrors] = useState<FieldErrors>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form)) as { full_name: string; email: string };
    const found = getFieldErrors(UserDetails, body);
    setErrors(found);
    if (Object.keys(found).length > 0) return focusFirstError(form);
    save.mutate(
      { params: { id: user.id }, body },
      {
        onSuccess: onSaved,
        onError(error) {
          const { fields } = readError(error);
          setErrors(fields);
          if (Object.keys(fields).length > 0) focusFirstError(form);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} onChange={(event) => setErrors((errors) => withoutErrorOf(errors, event))} noValidate>
      <Stack>
        <DetailFields withEmail errors={errors} defaults={user} />
        <ErrorBox
          message={save.error && Object.keys(errors).length === 0 ? describeFailure(save.error, detailsNotSaved) : ''}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
