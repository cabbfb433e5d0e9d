import { TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useId, useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import { namesQuery, PeopleContext, useNames } from '../client/names.ts';
import { describePerson, getPersonValue, seesPark } from './findPerson.ts';
import styles from './PeoplePicker.module.css';

type PeoplePickerProps = Pick<TextInputProps, 'label' | 'error' | 'description' | 'inputWrapperOrder' | 'required'> & {
  /** Shown for a name that no user has; the picker then also knows the users copied for use offline. */
  notUser?: string;
  /** Suggests only users who see it. */
  park?: string | undefined;
  /** A username, or the name of someone who is not a user. */
  value: string;
  onChange: (value: string) => void;
};

/** A person: a user by username or full name, or any other name as free text. */
export function PeoplePicker({ park, notUser, value, onChange, description, ...props }: PeoplePickerProps) {
  // Fetched again each time, so that a new user is known. Not available offline.
  const { data } = useQuery({ ...namesQuery, staleTime: 0 });
  const known = use(PeopleContext);
  const people = data ?? (notUser ? known : undefined);
  const [typed, setTyped] = useState({ text: value, value });
  const text = typed.value === value ? typed.text : value;
  const id = useId();
  const name = useNames()(value);
  return (
    <>
      <TextInput
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...props}
        list={id}
        classNames={{ input: styles.input }}
        maxLength={textLimits.name}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => {
          const newValue = getPersonValue(people ?? [], currentTarget.value, park);
          setTyped({ text: currentTarget.value, value: newValue });
          onChange(newValue);
        }}
        description={(people ? describePerson(people, text, park, notUser) : name !== value && name) || description}
      />
      <datalist id={id}>
        {people
          ?.filter((person) => seesPark(person, park))
          .map(({ username, name }) => (
            <option key={username} value={name} label={name === username ? undefined : username} />
          ))}
      </datalist>
    </>
  );
}
