import { Badge, Button, NativeSelect } from '@mantine/core';
import { KeyRound, UserPen } from 'lucide-react';
import { useState } from 'react';
import type { Role } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { allParks } from '#shared/choices.ts';
import { formatInstant } from '#shared/dates.ts';
import type { Park, User } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useSave } from '../client/useSave.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { PopupMenu } from '../ui/navigation/PopupMenu.tsx';
import { assignErrors } from './messages.ts';
import { ParkSelect, toParkValue } from './ParkSelect.tsx';
import styles from './UserRow.module.css';

type Assignment = { username: string; role: Role; park: Park };

type UserRowProps = {
  user: User;
  /** The roles that the current user may assign. */
  roles: readonly Role[];
  isSelf: boolean;
  onAssigned: () => void;
  onReset: () => void;
  /** Undefined if the current user may not change the name and email address. */
  onEdit: (() => void) | undefined;
  onDelete: () => void;
};

/** One user; role and park are changed in place and saved together. */
export function UserRow({ user, roles, isSelf, onAssigned, onReset, onEdit, onDelete }: UserRowProps) {
  const saving = useSave<Assignment, unknown>(`user/${user.id}`, {
    send: (body) => callApi(api.assignRole, { body }),
    onSaved: onAssigned,
  });
  const [role, setRole] = useState<Role>(saving.variables?.role ?? user.role);
  const [park, setPark] = useState((saving.variables?.park ?? user.park) || allParks);
  const isManageable = roles.includes(user.role);
  const isDeletable = isManageable && !isSelf;
  const isChanged = role !== user.role || toParkValue(park) !== user.park;

  const save = () => saving.save({ username: user.username, role, park: toParkValue(park) });

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
        data={isManageable ? roles : [user.role]}
        value={role}
        disabled={!isManageable || isSelf}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <ParkSelect
        className={styles.choice}
        aria-label={`Park of ${user.username}`}
        value={park}
        disabled={!isManageable}
        onChange={(event) => setPark(event.currentTarget.value)}
      />
      <span className={styles.lastSignIn}>
        {user.lastSignInAt ? (
          <>
            <span className={styles.phoneLabel}>Last sign-in </span>
            {formatInstant(user.lastSignInAt)}
          </>
        ) : (
          'Never signed in'
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
              setPark(user.park || allParks);
              saving.dismiss();
            }}
          >
            Cancel
          </Button>
        </div>
      ) : (
        (onEdit || isDeletable) && (
          <div className={styles.menu}>
            <PopupMenu label={`More for ${user.username}`}>
              {(close) => {
                const andClose = (action: () => void) => () => {
                  close();
                  action();
                };
                return (
                  <>
                    {onEdit && (
                      <Button
                        variant="default"
                        leftSection={<UserPen aria-hidden size={18} />}
                        aria-label={`Name and Email of ${user.username}`}
                        onClick={andClose(onEdit)}
                      >
                        Name and Email
                      </Button>
                    )}
                    {isDeletable && (
                      <>
                        <Button
                          variant="default"
                          leftSection={<KeyRound aria-hidden size={18} />}
                          aria-label={`New Password for ${user.username}`}
                          onClick={andClose(onReset)}
                        >
                          New Password
                        </Button>
                        <DeleteButton label={`Delete ${user.username}`} onClick={andClose(onDelete)} />
                      </>
                    )}
                  </>
                );
              }}
            </PopupMenu>
          </div>
        )
      )}
      {saving.error && (
        <div className={styles.error}>
          <ErrorBox message={describeFailure(saving.error, assignErrors)} />
        </div>
      )}
    </li>
  );
}
