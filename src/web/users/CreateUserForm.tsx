import { Button, NativeSelect, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { NewUser } from '#shared/users.ts';
import { callApi, mutationWithRetryFor, queryFor } from '../client/api.ts';
import { describeFailure, readError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { getMinPasswordLength } from '../operator.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import styles from './CreateUserForm.module.css';
import { DetailFields } from './DetailFields.tsx';
import { created, exists, notCreated } from './messages.ts';
import { ParkSelect, toParkValue } from './ParkSelect.tsx';

export function CreateUserForm() {
  const me = useUser();
  const { data: roles = ['None' as const] } = useQuery(queryFor(api.listRoles));
  const { mutateAsync: create } = useMutation(mutationWithRetryFor(api.createUser));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [status, setStatus] = useState<Status>();
  const [isBusy, setBusy] = useState(false);
  /** Sent without a confirmed result: sending the same again creates no second user. */
  const sent = useRef<{ content: string; key: string }>(undefined);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const chosen = typed.park ?? '';
    const body = { ...typed, park: toParkValue(chosen) } as NewUser;
    // On the server an empty park means all; here it means not chosen yet.
    const found = { ...getFieldErrors(NewUser, body), ...(chosen === '' && { park: 'Choose a park' }) };
    setErrors(found);
    setStatus(undefined);
    if (Object.keys(found).length > 0) return focusFirstError(form);

    setBusy(true);
    try {
      const content = JSON.stringify(body);
      if (sent.current?.content !== content) {
        const taken = await callApi(api.userExists, { body: { username: body.username } });
        if (taken.exists) throw new ApiError(409, JSON.stringify({ message: exists, fields: { username: exists } }));
        sent.current = { content, key: newUuid() };
      }
      await create({ body, key: sent.current.key });
      sent.current = undefined;
      form.reset();
      setStatus({ kind: 'success', text: created });
      form.querySelector('input')?.focus();
    } catch (error) {
      const named = readError(error).fields;
      setErrors(named);
      setStatus({ kind: 'error', text: named.username === exists ? exists : describeFailure(error, notCreated) });
      if (Object.keys(named).length > 0) focusFirstError(form);
    }
    setBusy(false);
  };

  return (
    <section className={styles.card} aria-labelledby="create-user">
      <Title order={2} size="h4" id="create-user">
        Create a user
      </Title>
      <form onSubmit={submit} onChange={(event) => setErrors((errors) => withoutErrorOf(errors, event))} noValidate>
        <div className={styles.fields}>
          <TextInput
            name="username"
            label="Username"
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
            error={errors.password}
            withAsterisk
            autoComplete="new-password"
          />
          <NativeSelect name="role" label="Role" data={roles} error={errors.role} required />
          <ParkSelect name="park" label="Park" unchosen="Choose a park" defaultValue="" error={errors.park} required />
          <DetailFields withEmail={isAllowed('admin', me.role)} errors={errors} />
        </div>
        <div className={styles.footer}>
          <Button type="submit" loading={isBusy}>
            Create User
          </Button>
          <StatusLine status={status} hasErrorColour />
        </div>
      </form>
    </section>
  );
}
