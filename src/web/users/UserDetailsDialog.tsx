import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { type User, UserDetails } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { RequestDialog } from '../forms/RequestDialog.tsx';
import { listDetailFields } from './DetailFields.tsx';
import { detailsErrors } from './messages.ts';

type UserDetailsDialogProps = { user: User; isSelf: boolean; onClose: () => void; onSaved: () => void };

/** An Admin sets a user's full name and email address; the own address only as every user does. */
export const UserDetailsDialog = ({ user, isSelf, onClose, onSaved }: UserDetailsDialogProps) => (
  <RequestDialog
    name={formNames.userDetails(user.id)}
    title={`Edit Name and Email of ${user.username}`}
    start={{ full_name: user.full_name, email: user.email ?? '' }}
    fields={{ ...listDetailFields(!isSelf), ...(isSelf && { email: ownEmail }) }}
    schema={UserDetails}
    send={(body) => callApi(api.updateUserDetails, { params: { id: user.id }, body })}
    submit="Save"
    failed={(error) => describeFailure(error, detailsErrors)}
    onSaved={onSaved}
    onClose={onClose}
  />
);

const ownEmail = (
  <Text>
    You change your own email address under{' '}
    <Anchor component={Link} to="/notification-settings">
      Notification Settings
    </Anchor>
    .
  </Text>
);
