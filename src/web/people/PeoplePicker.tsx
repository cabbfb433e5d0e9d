import { Box, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, use, useId, useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import { pluralise } from '#shared/pluralise.ts';
import { namesQuery, PeopleContext, useNames } from '../client/names.ts';
import { Name } from '../ui/feedback/Name.tsx';
import {
  type CopiedName,
  describePerson,
  getPersonValue,
  identifyPerson,
  isUserOf,
  suggestPeople,
} from './findPerson.ts';
import styles from './PeoplePicker.module.css';

type PeoplePickerProps = Pick<
  TextInputProps,
  'label' | 'aria-label' | 'error' | 'description' | 'inputWrapperOrder' | 'required'
> & {
  /** Shown for a name that no user has; the picker then also knows the users copied for use offline. */
  notUser?: string;
  /** Whether a name that no user has is wrong. The form refuses it with `refuseName`. */
  usersOnly?: boolean;
  /** Suggests only users who see it. */
  park?: string | undefined;
  /** A username, or the name of someone who is not a user. */
  value: string;
  onChange: (value: string) => void;
};

/** How many people are listed at once. */
const maxListed = 50;

const notLoaded = 'The users are not loaded: enter the exact name or username';

const showElement = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' });

/** A person: a user, found by name or username, or any other name as free text. */
export function PeoplePicker({
  park,
  notUser,
  usersOnly,
  value,
  onChange,
  description,
  error,
  ...props
}: PeoplePickerProps) {
  // Fetched again each time, so that a new user is known. Offline, only the copied users are.
  const { data } = useQuery({ ...namesQuery, staleTime: 0 });
  const copied = use(PeopleContext);
  const people: CopiedName[] = data ?? copied;
  const name = useNames()(value);
  const [typed, setTyped] = useState<{ text: string; value: string }>();
  const text = typed?.value === value ? typed.text : name;
  /** Which of the listed people is highlighted, from 1; -1 while the list is closed, undefined without the focus. */
  const [at, setAt] = useState<number>();
  const id = useId();

  const isTyping = at !== undefined && at >= 0;
  const found = !isTyping ? [] : suggestPeople(people, text, park);
  // Someone who was meant already is not offered.
  const listed = found.length === 1 && found[0]?.username === value ? [] : found.slice(0, maxListed);
  const isOpen = listed.length > 0;
  const count = isOpen ? pluralise(found.length, 'user') : '';
  const unknown = usersOnly && park ? `Choose a user who sees ${park}` : notUser;
  const meaning = describePerson(people, text, park, data || notUser ? unknown : typed ? notLoaded : '');
  const isRefused = usersOnly && data && value !== '' && !isUserOf(data, value, park);

  const enter = (text: string, value: string) => {
    setTyped({ text, value });
    onChange(value);
  };
  const choose = ({ name, username }: CopiedName) => {
    enter(name, username);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const current = isTyping ? at : 0;
    const person = listed[current - 1];
    if (event.nativeEvent.isComposing) return;
    if (step) setAt((current + step + listed.length + 1) % (listed.length + 1));
    else if (event.key === 'Enter' && person) choose(person);
    else if (event.key === 'Escape' && isOpen) setAt(-1);
    else return;
    event.preventDefault();
  };
  return (
    <TextInput
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      aria-activedescendant={isOpen && at ? `${id}${at}` : undefined}
      maxLength={textLimits.name}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => {
        setAt(0);
        enter(currentTarget.value, getPersonValue(people, currentTarget.value, park));
      }}
      onFocus={() => setAt(-1)}
      onClick={() => setAt(0)}
      onBlur={() => setAt(undefined)}
      onKeyDown={onKeyDown}
      description={error || isRefused ? description : meaning || description}
      error={error || (isRefused && meaning)}
      inputContainer={(input) => (
        <Box pos="relative">
          {input}
          {at !== undefined && (
            <VisuallyHidden role="status">{isOpen ? `${count} found` : isTyping && meaning}</VisuallyHidden>
          )}
          {isOpen && (
            // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field
            <div ref={showElement} className={styles.popup} onMouseDown={(event) => event.preventDefault()}>
              <div id={id} role="listbox" aria-label="People" className={styles.list}>
                {listed.map((person, index) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles its keys
                  <div
                    key={person.username}
                    id={`${id}${index + 1}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={at === index + 1}
                    ref={at === index + 1 ? showElement : undefined}
                    className={styles.option}
                    onClick={() => choose(person)}
                  >
                    <Name>{person.name}</Name> <small translate="no">{identifyPerson(person)}</small>
                  </div>
                ))}
              </div>
              {found.length > maxListed && <p>{`${count}. Enter more of the name.`}</p>}
            </div>
          )}
        </Box>
      )}
    />
  );
}
