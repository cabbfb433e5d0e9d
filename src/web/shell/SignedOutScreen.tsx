import { Button, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { textLimits } from '#shared/choices.ts';
import { saveReporter } from '../client/lastReporter.ts';
import { waitingItems } from '../client/outboxPresence.ts';
import { SessionContext, useSession } from '../client/session.ts';
import { createSignedOutUser, getSignedOutName, setSignedOutName } from '../client/signedOutUse.ts';
import { WaitingNotice } from '../outbox/WaitingNotice.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { useStore } from '../useStore.ts';
import styles from './SignedOutScreen.module.css';
import '../ui/theme/shared.css';

/** Shows a form to someone who is not signed in, once they have typed their name. */
export function SignedOutScreen({ children }: { children: ReactNode }) {
  const { isUnreachable } = useSession();
  const [name, setName] = useState(getSignedOutName);
  const hasWaitingItems = useStore(waitingItems);
  if (name === '') return <NameQuestion onAnswer={setName} />;
  const signedOutUser = createSignedOutUser(name);
  return (
    <SessionContext value={{ user: signedOutUser, isChecking: false, isUnreachable: true }}>
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
            <Link to="/login" onClick={() => setSignedOutName('')}>
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
        const trimmedName = name.trim();
        if (!trimmedName) return setError('Enter your name');
        setSignedOutName(trimmedName);
        saveReporter(createSignedOutUser(trimmedName).id, trimmedName);
        onAnswer(trimmedName);
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
