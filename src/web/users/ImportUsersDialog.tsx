import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef } from 'react';
import { api } from '#shared/api.ts';
import type { LineError } from '#shared/user-import.ts';
import type { CreatedUser } from '#shared/users.ts';
import { callApi, queryClient } from '../client/api.ts';
import { describeFailure, readError } from '../client/errors.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import styles from './ImportUsersDialog.module.css';
import { notCreated } from './messages.ts';

type ImportUsersDialogProps = { isOpen: boolean; onClose: () => void; onCreated: (people: CreatedUser[]) => void };

const example = `username,role,park
sian.jones,None,Lido Beach
huw.parry,Health & Safety Manager,All parks`;

export function ImportUsersDialog({ isOpen, onClose, onCreated }: ImportUsersDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const making = useMutation({
    mutationFn: async (file: File) => callApi(api.importUsers, { body: { csv: await readText(file) } }),
    onSuccess({ users }) {
      onCreated(users);
      void queryClient.invalidateQueries();
    },
  });
  const close = () => {
    onClose();
    making.reset();
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    // Allows choosing the corrected file again.
    event.currentTarget.value = '';
    if (file) making.mutate(file);
  };

  return (
    <Dialog opened={isOpen} onClose={close} title="Import users" size="lg">
      <Stack>
        <Text>
          Choose a CSV file with a line for each user: username, role, park. Each user gets a one-time password. If any
          line has an error, no users are created. The first line may name two more columns: full name, email.
        </Text>
        <pre className={styles.example}>{example}</pre>
        {making.error && <ImportErrors error={making.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={making.isPending} onClick={() => input.current?.click()} data-autofocus>
            Choose a file
          </Button>
        </Group>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv,text/plain"
          hidden
          aria-label="CSV file"
          onChange={choose}
        />
      </Stack>
    </Dialog>
  );
}

/** Every invalid line with its number. */
function ImportErrors({ error }: { error: Error }) {
  const { lines = [] } = readError(error).body as { lines?: LineError[] };
  if (lines.length === 0) return <ErrorBox message={describeFailure(error, notCreated)} />;
  return (
    <ErrorBox message={error.message}>
      <ul className={styles.errors}>
        {lines.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <strong>Line {line}:</strong> {message}
          </li>
        ))}
      </ul>
    </ErrorBox>
  );
}

/** Spreadsheets write UTF-8 or Windows-1252. */
async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
