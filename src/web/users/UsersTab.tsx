// 'User Management' in the admin panel.
import { Button, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Upload, UserPlus, UserSearch } from 'lucide-react';
import { useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { isOpenPark } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { type CreatedUsers, matchesUser, type User } from '#shared/users.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { getProviderName } from '../client/providerName.ts';
import { useUser } from '../client/session.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { CreateUserForm } from './CreateUserForm.tsx';
import { ImportUsersDialog } from './ImportUsersDialog.tsx';
import { assignedText, deletedText, deleteErrors, detailsSavedText } from './messages.ts';
import { OneTimePasswordsDialog } from './OneTimePasswordsDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import { UserDetailsDialog } from './UserDetailsDialog.tsx';
import rowStyles from './UserRow.module.css';
import { UserRow } from './UserRow.tsx';
import styles from './UsersTab.module.css';
import { WaitingIdentities } from './WaitingIdentities.tsx';

export function UsersTab() {
  const currentUser = useUser();
  const users = useQuery(queryFor(api.listUsers));
  const { data: roles = [] } = useQuery(queryFor(api.listRoles));
  const deletion = useConfirmed<User>({
    ...dangerous(api.deleteUser),
    title: ({ username }) => `Delete ${username}?`,
    text: 'They will be signed out and cannot sign in again. Records they created keep their name.',
    failed: (error) => describeFailure(error, deleteErrors),
    done: deletedText,
  });
  const unlinking = useConfirmed<User>({
    ...dangerous(api.unlinkUser),
    title: ({ username }) => `Unlink ${username}?`,
    text: 'They will be signed out, and sign in with their password again. If they have none, set a new one.',
    confirm: 'Unlink',
    failed: 'The user could not be unlinked',
  });
  const allow = useMutation(mutationFor(api.allowLinkedUser));
  const invite = useMutation(mutationFor(api.inviteUser));
  const [{ person: search }, filter] = useFilters('person');
  const [editedUser, setEditedUser] = useState<User>();
  const [pendingReset, setPendingReset] = useState<User>();
  const [isImporting, setImporting] = useState(false);
  const [createdUsers, setCreatedUsers] = useState<CreatedUsers>();
  /** Adds to what is shown: nothing else knows the one-time passwords. */
  const showCreated = (created: CreatedUsers) =>
    setCreatedUsers((shown) => (shown ? { ...created, users: [...shown.users, ...created.users] } : created));
  /** The id of a new user whose one-time password was in a reply that was lost. */
  const [withoutPassword, setWithoutPassword] = useState<string>();
  const lost = users.data?.find(({ id }) => id === withoutPassword);
  const closeReset = () => {
    setPendingReset(undefined);
    if (pendingReset?.id === withoutPassword) setWithoutPassword(undefined);
  };
  const { feedback } = deletion;

  const canLink = isAllowed('adminOfAllParks', currentUser);
  const onlyClosed = users.data?.filter(({ parks }) => parks !== null && !parks.some(isOpenPark)) ?? [];
  return (
    <div className={styles.tab}>
      <CreateUserForm
        onCreated={({ id, created }, isOneTime) => {
          if (created) showCreated(created);
          setWithoutPassword(isOneTime && !created ? id : undefined);
        }}
      />
      {lost && (
        <ErrorBox message={`${lost.username} was created, but their one-time password did not arrive here.`}>
          <Button variant="default" onClick={() => setPendingReset(lost)}>
            Set New Password
          </Button>
        </ErrorBox>
      )}
      {canLink && getProviderName() && <WaitingIdentities users={users.data ?? []} />}
      <section className={styles.users} aria-labelledby="users">
        <div className="wrap between">
          <Title order={2} size="h4" id="users">
            Users{users.data && ` (${users.data.length})`}
          </Title>
          <div className="wrap tight">
            <Button variant="default" leftSection={<Upload aria-hidden size={18} />} onClick={() => setImporting(true)}>
              Import from CSV
            </Button>
          </div>
        </div>
        <ExportButtons list="users" name="Users" filters={{ q: search }} />
        <SearchBox label="Search users..." value={search} onSearch={(person) => filter({ person })} />
        {onlyClosed.length > 0 && (
          <p className={styles.onlyClosed}>
            {pluralise(onlyClosed.length, 'user')} with closed parks only, who{' '}
            {onlyClosed.length === 1 ? 'needs' : 'need'} another park:
            {onlyClosed.map(({ id, username, full_name }) => (
              <Button key={id} variant="default" translate="no" onClick={() => filter({ person: username })}>
                {full_name || username}
              </Button>
            ))}
          </p>
        )}
        {users.data?.length === 1 && search === '' && (
          <EmptyState
            icon={UserPlus}
            text="You are the only user."
            hint="Create the others one by one with the form above, or add many from a list."
          >
            <Button variant="default" onClick={() => setImporting(true)}>
              Add Users
            </Button>
          </EmptyState>
        )}
        <RecordList
          query={{ ...users, data: users.data?.filter((user) => matchesUser(user, search)) }}
          step={50}
          failed="The users could not be loaded."
          isNotStored
          loading="Loading users..."
          empty={{ icon: UserSearch, text: 'No users found.', hint: 'Try another part of the name.' }}
          above={
            // The fields below have labels of their own.
            <div className={rowStyles.head} aria-hidden>
              {['Name', 'Username', 'Role', 'Parks', 'Last sign-in'].map((name) => (
                <span key={name}>{name}</span>
              ))}
            </div>
          }
          row={(user) => (
            <UserRow
              key={`${user.id} ${user.role} ${user.parks}`}
              user={user}
              roles={roles}
              isSelf={user.id === currentUser.id}
              onAssigned={() => feedback.showSuccess(assignedText)}
              onReset={() => setPendingReset(user)}
              onInvite={() =>
                invite.mutate(
                  { params: { id: user.id } },
                  {
                    onSuccess: () => feedback.showSuccess(`Invitation sent to ${user.username}`),
                    onError: ({ message }) =>
                      feedback.showError(message || 'The invitation could not be sent. Please try again.'),
                  },
                )
              }
              onEdit={isAllowed('admin', currentUser) ? () => setEditedUser(user) : undefined}
              onDelete={() => deletion.ask(user)}
              {...(canLink && {
                onUnlink: () => unlinking.ask(user),
                onAllow: () =>
                  allow.mutate(
                    { params: { id: user.id } },
                    {
                      onSuccess: () => feedback.showSuccess(`${user.username} can sign in again`),
                      onError: ({ message }) =>
                        feedback.showError(message || 'This could not be saved. Please try again.'),
                    },
                  ),
              })}
            />
          )}
        />
      </section>
      {deletion.dialog}
      {unlinking.dialog}
      {editedUser && (
        <UserDetailsDialog
          user={editedUser}
          isSelf={editedUser.id === currentUser.id}
          onClose={() => setEditedUser(undefined)}
          onSaved={() => {
            setEditedUser(undefined);
            feedback.showSuccess(detailsSavedText);
          }}
        />
      )}
      {pendingReset && <ResetPasswordDialog user={pendingReset} onClose={closeReset} />}
      <ImportUsersDialog
        isOpen={isImporting}
        onClose={() => setImporting(false)}
        onCreated={(created) => {
          setImporting(false);
          showCreated(created);
        }}
      />
      {createdUsers && <OneTimePasswordsDialog created={createdUsers} onDone={() => setCreatedUsers(undefined)} />}
    </div>
  );
}
