import { Button, NativeSelect, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { isAllowed, type Parks, readParks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { NewUser, toParkInput } from '#shared/users.ts';
import { callApi, callApiWithRetry, queryFor } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { getMinPasswordLength } from '../operator.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import styles from './CreateUserForm.module.css';
import { DetailFields } from './DetailFields.tsx';
import { createdText, createErrors, existsText } from './messages.ts';
import { ParksField } from './ParksField.tsx';

/**
 * `isChecked`: the username was free before the first attempt, so if it is taken now, that attempt
 * succeeded.
 */
type NewUserVariables = { body: NewUser; isChecked?: boolean };

async function sendUser(variables: NewUserVariables, key: string) {
  const { body } = variables;
  if (!variables.isChecked) {
    const usernameCheck = await callApi(api.userExists, { body: { username: body.username } });
    if (usernameCheck.exists)
      throw new ApiError(409, JSON.stringify({ message: existsText, fields: { username: existsText } }));
  }
  variables.isChecked = true;
  return callApiWithRetry(api.createUser, { body, key });
}

export function CreateUserForm() {
  const currentUser = useUser();
  const { data: roles = ['None' as const] } = useQuery(queryFor(api.listRoles));
  const [status, setStatus] = useState<Status>();
  const [isOpen, setOpen] = useState(true);
  const [chosen, setChosen] = useState<{ parks: Parks }>();
  const [createdCount, setCreatedCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<NewUserVariables, unknown>('new user', {
    send: sendUser,
    form,
    onSaved() {
      form.current?.reset();
      setChosen(undefined);
      setCreatedCount((count) => count + 1);
      setStatus({ kind: 'success', text: createdText });
      form.current?.querySelector('input')?.focus();
    },
    onFailed: (error) =>
      setStatus({
        kind: 'error',
        text: error.fields.username === existsText ? existsText : describeFailure(error, createErrors),
      }),
  });
  const { errors, isSaving } = saving;
  const [unsavedInput] = useState(saving.variables?.body);
  const sent = saving.variables?.body;
  const parks = chosen ? chosen.parks : sent && readParks(sent);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSaving) return;
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const body = { ...typed, ...(parks !== undefined && toParkInput(parks)) } as NewUser;
    const foundErrors = getFieldErrors(NewUser, body);
    setStatus(undefined);
    const isRepeat = JSON.stringify(saving.variables?.body) === JSON.stringify(body);
    if (Object.keys(foundErrors).length > 0) saving.showErrors(foundErrors);
    else saving.save(isRepeat && saving.variables ? saving.variables : { body });
  };

  return (
    <section className={styles.card} aria-labelledby="create-user">
      <Title order={2} size="h4" id="create-user">
        <UnstyledButton
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls="create-user-form"
          onClick={() => setOpen(!isOpen)}
        >
          Create a User
          <ChevronDown aria-hidden size={20} />
        </UnstyledButton>
      </Title>
      <form
        id="create-user-form"
        hidden={!isOpen}
        ref={form}
        onSubmit={submit}
        onChange={saving.clearErrorOf}
        noValidate
      >
        <div className={styles.fields}>
          <TextInput
            name="username"
            label="Username"
            defaultValue={unsavedInput?.username}
            error={errors.username}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
          />
          <PasswordField
            name="password"
            label="Password"
            description={`At least ${getMinPasswordLength()} characters`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            defaultValue={unsavedInput?.password}
            error={errors.password}
            withAsterisk
            autoComplete="new-password"
          />
          <NativeSelect
            name="role"
            label="Role"
            data={roles}
            defaultValue={unsavedInput?.role}
            error={errors.role}
            required
          />
          <ParksField
            // Starts again for the next user.
            key={createdCount}
            name="park"
            label="Park"
            legend="Parks"
            before={[]}
            value={parks}
            onChange={(parks) => {
              setChosen({ parks });
              saving.clearErrors('park', 'parks');
            }}
            error={errors.park ?? errors.parks}
            required
          />
          <DetailFields
            withEmail={isAllowed('admin', currentUser)}
            errors={errors}
            defaults={{ full_name: unsavedInput?.full_name ?? '', email: unsavedInput?.email ?? '' }}
          />
        </div>
        <div className={styles.footer}>
          <Button type="submit" loading={isSaving}>
            Create User
          </Button>
          <StatusLine status={status} />
        </div>
      </form>
    </section>
  );
}
