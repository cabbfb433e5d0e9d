import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { type User, UserDetails } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { DetailFields } from './DetailFields.tsx';
import { detailsErrors } from './messages.ts';

type UserDetailsDialogProps = { user: User; isSelf: boolean; onClose: () => void; onSaved: () => void };

/** An Admin sets a user's full name and email address; the own address only as every user does. */
export function UserDetailsDialog({ user, isSelf, onClose, onSaved }: UserDetailsDialogProps) {
  const form = useForm(formNames.userDetails(user.id), {
    start: { full_name: user.full_name, email: user.email ?? '' },
    check: (values) => getFieldErrors(UserDetails, values),
    send: (body) => callApi(api.updateUserDetails, { params: { id: user.id }, body }),
    isOpenedByUser: true,
    onSaved,
  });
  return (
    <FormDialog
      form={form}
      title={`Edit Name and Email of ${user.username}`}
      submit="Save"
      failed={(error) => describeFailure(error, detailsErrors)}
      onClose={onClose}
    >
      <DetailFields fullName={form.field('full_name')} email={!isSelf && form.field('email')} />
      {isSelf && (
        <Text>
          You change your own email address under{' '}
          <Anchor component={Link} to="/notification-settings">
            Notification Settings
          </Anchor>
          .
        </Text>
      )}
    </FormDialog>
  );
}
