import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import type { LineError } from '#shared/csv.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { createUserTemplate } from '#shared/user-import.ts';
import { type CreatedUsers, nameRole } from '#shared/users.ts';
import { AddressWarning } from '../client/AddressWarning.tsx';
import { callApi, mutationFor } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { useTextFile } from '../forms/useTextFile.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import styles from './ImportUsersDialog.module.css';
import { createErrors } from './messages.ts';

type ImportUsersDialogProps = { isOpen: boolean; onClose: () => void; onCreated: (created: CreatedUsers) => void };

const example = `username,role,park
sian.jones,park staff,Lido Beach
mair.rees,park staff,Lido Beach; Robin Hood
huw.parry,Health & Safety Manager,All parks`;

export function ImportUsersDialog({ isOpen, onClose, onCreated }: ImportUsersDialogProps) {
  const user = useUser();
  const input = useRef<HTMLInputElement>(null);
  // The passwords exist only in the response, so they are kept for an Admin who left the screen.
  const saving = useSave<string, CreatedUsers>('import users', {
    send: (csv) => callApi(api.importUsers, { body: { csv } }),
    onSaved: (created) => {
      check.reset();
      onCreated(created);
    },
  });
  // What would happen is shown first.
  const check = useMutation(mutationFor(api.checkUserImport));
  const counts = check.data?.counts ?? [];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const file = useTextFile((csv) => check.mutate({ body: { csv } }));
  const park = (user.parks ?? listOpenParks())[0] ?? '';
  // The mark tells spreadsheets the encoding.
  const template = `data:text/csv;charset=utf-8,${encodeURIComponent(
    `\uFEFF${createUserTemplate(park, { withEmail: isAllowed('admin', user) })}`,
  )}`;
  const close = () => {
    onClose();
    file.reset();
    check.reset();
    saving.dismiss();
  };
  const chooseFile = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.currentTarget.files ?? [];
    // Allows choosing the corrected file again.
    event.currentTarget.value = '';
    check.reset();
    saving.dismiss();
    if (chosen) void file.read(chosen);
  };

  return (
    <Dialog opened={isOpen} onClose={close} title="Import users" size="lg">
      <Stack>
        {/* What was found out about a file takes the place of how to write one. */}
        {(check.isIdle || check.isPending) && (
          <>
            <Text>
              Choose a CSV file with a line for each user: username, role, park. Separate several parks with semicolons.
              Each user gets a one-time password. If any line has an error, no users are created. The first line may
              name the columns, in any order, and two more: full name, email. You see what would happen before anybody
              is created.
            </Text>
            <pre className={styles.example}>{example}</pre>
          </>
        )}
        {!check.isSuccess && (
          <Anchor href={template} download="users.csv">
            Download a Template
          </Anchor>
        )}
        <AddressWarning what="The cards with the passwords" />
        {file.question}
        {check.error && <ImportErrors error={check.error as ApiError} />}
        {saving.error && <ImportErrors error={saving.error} />}
        {check.isSuccess && (
          <Text role="status">
            The file has <strong>{pluralise(total, 'user')} to create</strong>:{' '}
            {counts.map(({ role, count }) => `${count} ${nameRole(role)}`).join(', ')}. No line is refused, and no other
            user is changed.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            variant={check.isSuccess ? 'default' : 'filled'}
            loading={check.isPending || (saving.isSaving && !check.isSuccess)}
            disabled={saving.isSaving}
            onClick={() => input.current?.click()}
            data-autofocus
          >
            Choose a File
          </Button>
          {check.isSuccess && (
            <Button loading={saving.isSaving} onClick={() => saving.save(check.variables.body.csv)}>
              Import {pluralise(total, 'User')}
            </Button>
          )}
        </Group>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hidden
          aria-label="CSV file"
          onChange={chooseFile}
        />
      </Stack>
    </Dialog>
  );
}

/** Every invalid line with its number. */
function ImportErrors({ error }: { error: ApiError }) {
  const { lines = [] } = error.body as { lines?: LineError[] };
  if (lines.length === 0) return <ErrorBox message={describeFailure(error, createErrors)} />;
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
