import { Button, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { textLimits } from '#shared/choices.ts';
import { createGuest, getGuestName, setGuestName } from '../client/guest.ts';
import { saveReporter } from '../client/lastReporter.ts';
import { getHasWaitingItems, subscribeToWaitingItems } from '../client/outboxPresence.ts';
import { SessionContext, useSession } from '../client/session.ts';
import { WaitingNotice } from '../outbox/WaitingNotice.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import styles from './GuestScreen.module.css';

/** A form without a session, for users who type their name. */
export function GuestScreen({ children }: { children: ReactNode }) {
  const { isUnreachable } = useSession();
  const [name, setName] = useState(getGuestName);
  const hasWaitingItems = useSyncExternalStore(subscribeToWaitingItems, getHasWaitingItems);
  if (name === '') return <NameQuestion onAnswer={setName} />;
  const guest = createGuest(name);
  return (
    <SessionContext value={{ user: guest, isChecking: false, isUnreachable: true }}>
      <div className={styles.note}>
        <Text>
          You are not signed in. What you submit waits on this device until you have signed in and confirmed that it is
          yours.
        </Text>
        {hasWaitingItems && <WaitingNotice />}
        <nav aria-label="Main" className={styles.links}>
          <Link to="/reporting">Reporting</Link>
          <Link to="/checklists">Checklists</Link>
          {!isUnreachable && (
            <Link to="/login" onClick={() => setGuestName('')}>
              Sign In
            </Link>
          )}
        </nav>
      </div>
      {children}
    </SessionContext>
  );
}

function NameQuestion({ onAnswer }: { onAnswer: (name: string) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  return (
    <form
      noValidate
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        const given = name.trim();
        if (!given) return setError('Enter your name');
        setGuestName(given);
        saveReporter(createGuest(given).id, given);
        onAnswer(given);
      }}
    >
      <PageHeading title="There is no connection" />
      <Text>
        Your session has ended, and you can sign in when the connection is back. You can start new reports and
        checklists now. Forms that you started before stay closed until you sign in.
      </Text>
      <TextInput
        label="Who is filling this in?"
        required
        maxLength={textLimits.name}
        autoComplete="name"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError('');
        }}
      />
      <Button type="submit">Continue</Button>
    </form>
  );
}
