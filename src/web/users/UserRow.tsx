import { Badge, Button, NativeSelect } from '@mantine/core';
import { KeyRound, Send, Unlink, UserCheck, UserPen } from 'lucide-react';
import { useState } from 'react';
import { nameParks, type Role, readParks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { formatInstant, formatInstantDay } from '#shared/dates.ts';
import { describeSecondFactor, nameRole, type RoleAssignment, toParkInput, type User } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { getProviderName } from '../client/providerName.ts';
import { useSave } from '../client/useSave.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { PopupMenu } from '../ui/navigation/PopupMenu.tsx';
import { assignErrors } from './messages.ts';
import { ParksField } from './ParksField.tsx';
import styles from './UserRow.module.css';

type UserRowProps = {
  user: User;
  /** The roles that the current user may assign. */
  roles: readonly Role[];
  isSelf: boolean;
  onAssigned: () => void;
  onReset: () => void;
  onInvite: () => void;
  /** Undefined if the current user may not change the name and email address. */
  onEdit: (() => void) | undefined;
  onDelete: () => void;
  /** For those who may change how a user is linked to the provider. */
  onUnlink?: () => void;
  onAllow?: () => void;
};

/** One user; role and parks are changed in place and saved together. */
export function UserRow({
  user,
  roles,
  isSelf,
  onAssigned,
  onReset,
  onInvite,
  onEdit,
  onDelete,
  onUnlink,
  onAllow,
}: UserRowProps) {
  const saving = useSave<RoleAssignment, unknown>(`user/${user.id}`, {
    send: (body) => callApi(api.assignRole, { body }),
    onSaved: onAssigned,
  });
  const [role, setRole] = useState<Role>(saving.variables?.role ?? user.role);
  const [parks, setParks] = useState(saving.variables ? readParks(saving.variables) : user.parks);
  const [cancelCount, setCancelCount] = useState(0);
  const isManageable = roles.includes(user.role);
  const isDeletable = isManageable && !isSelf;
  const isChanged = role !== user.role || nameParks(parks) !== nameParks(user.parks);

  const save = () => saving.save({ username: user.username, role, ...toParkInput(parks) });

  return (
    <li className={styles.row}>
      <span className={styles.fullName}>
        {user.full_name}
        {user.email && <span className={styles.email}>{user.email}</span>}
      </span>
      <span className={styles.name}>
        {user.username} {isSelf && <Badge variant="light">You</Badge>}
      </span>
      <NativeSelect
        className={styles.choice}
        aria-label={`Role of ${user.username}`}
        data={(isManageable ? roles : [user.role]).map((value) => ({ value, label: nameRole(value) }))}
        value={role}
        disabled={!isManageable || isSelf || user.accessFromProvider}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <ParksField
        // Closes the list of ticks.
        key={cancelCount}
        className={styles.choice}
        aria-label={`Park of ${user.username}`}
        legend={`Parks of ${user.username}`}
        before={user.parks}
        value={parks}
        disabled={!isManageable || user.accessFromProvider}
        onChange={setParks}
      />
      <span className={styles.lastSignIn}>
        {user.lastSignInAt ? (
          <>
            <span className={styles.phoneLabel}>Last sign-in </span>
            {formatInstant(user.lastSignInAt)}
          </>
        ) : user.invitation?.sentAt ? (
          `Not come yet. Invited ${formatInstantDay(user.invitation.sentAt)}`
        ) : (
          'Never signed in'
        )}
        {!(user.link && user.secondFactor === 'none') && (
          <span className={styles.secondFactor}>{describeSecondFactor(user)}</span>
        )}
      </span>
      {isChanged ? (
        <div className={styles.save}>
          <Button onClick={save} loading={saving.isSaving} aria-label={`Save ${user.username}`}>
            Save
          </Button>
          <Button
            variant="default"
            aria-label={`Cancel changes to ${user.username}`}
            onClick={() => {
              setRole(user.role);
              setParks(user.parks);
              setCancelCount(cancelCount + 1);
              saving.dismiss();
            }}
          >
            Cancel
          </Button>
        </div>
      ) : (
        (onEdit || isDeletable || (user.link && onUnlink)) && (
          <div className={styles.menu}>
            <PopupMenu label={`More for ${user.username}`}>
              {(andClose) => (
                <>
                  {onEdit && (
                    <Button
                      variant="default"
                      leftSection={<UserPen aria-hidden size={18} />}
                      aria-label={`Edit Name and Email of ${user.username}`}
                      onClick={andClose(onEdit)}
                    >
                      Edit Name and Email
                    </Button>
                  )}
                  {user.invitation && (
                    <Button
                      variant="default"
                      leftSection={<Send aria-hidden size={18} />}
                      aria-label={`${user.invitation.sentAt ? 'Invite Again' : 'Send Invitation'}: ${user.username}`}
                      onClick={andClose(onInvite)}
                    >
                      {user.invitation.sentAt ? 'Invite Again' : 'Send Invitation'}
                    </Button>
                  )}
                  {user.link?.isRefused && onAllow && (
                    <Button
                      variant="default"
                      leftSection={<UserCheck aria-hidden size={18} />}
                      aria-label={`Allow ${user.username}`}
                      onClick={andClose(onAllow)}
                    >
                      Allow
                    </Button>
                  )}
                  {user.link && onUnlink && (
                    <Button
                      variant="default"
                      leftSection={<Unlink aria-hidden size={18} />}
                      aria-label={`Unlink ${user.username}`}
                      onClick={andClose(onUnlink)}
                    >
                      Unlink
                    </Button>
                  )}
                  {isDeletable && (
                    <>
                      {!user.link && (
                        <Button
                          variant="default"
                          leftSection={<KeyRound aria-hidden size={18} />}
                          aria-label={`New Password for ${user.username}`}
                          onClick={andClose(onReset)}
                        >
                          New Password
                        </Button>
                      )}
                      <DeleteButton label={`Delete ${user.username}`} onClick={andClose(onDelete)} />
                    </>
                  )}
                </>
              )}
            </PopupMenu>
          </div>
        )
      )}
      {user.link && <span className={styles.link}>{describeLink(user)}</span>}
      {saving.error && (
        <div className={styles.error}>
          <ErrorBox message={describeFailure(saving.error, assignErrors)} />
        </div>
      )}
    </li>
  );
}

function describeLink({ link, accessFromProvider }: User): string {
  const provider = getProviderName() || 'single sign-on';
  if (link?.isRefused) return `Cannot sign in, because ${provider} gives them no role. An Admin can allow it.`;
  return `Signs in with ${provider}${accessFromProvider ? ', which sets their role and parks' : ''}.`;
}
