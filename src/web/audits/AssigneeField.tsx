import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import styles from './AssigneeField.module.css';

type AssigneeFieldProps = {
  label: string;
  folderId: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  description?: ReactNode;
};

/** Free text with the usernames of users who see the folder as suggestions. */
export function AssigneeField({ label, folderId, value, onChange, error, description }: AssigneeFieldProps) {
  const { data: usernames = [] } = useQuery(queryFor(api.listAssignees, { params: { id: folderId } }));
  const id = useId();
  const showName = useNames();
  const name = showName(value);
  return (
    <>
      <TextInput
        label={label}
        list={id}
        classNames={{ input: styles.input }}
        maxLength={textLimits.name}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        description={name === value ? description : name}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <datalist id={id}>
        {usernames.map((username) => (
          <option key={username} value={username} label={showName(username)} />
        ))}
      </datalist>
    </>
  );
}
