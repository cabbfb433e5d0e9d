import { Button, Checkbox, NativeSelect, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { isAllowed, type Parks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { NewUser, type NewUserReply, nameRole, toParkInput } from '#shared/users.ts';
import { callApi, callApiWithRetry, queryFor } from '../client/api.ts';
import { describeFailure } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { findUnsavedVariables } from '../client/useSave.ts';
import { formNames } from '../formNames.ts';
import { Fields } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { getMinPasswordLength } from '../operator.ts';
import { StatusLine, toStatus } from '../ui/feedback/StatusLine.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import styles from './CreateUserForm.module.css';
import { listDetailFields } from './DetailFields.tsx';
import { createdText, createErrors, existsText } from './messages.ts';
import { ParksField } from './ParksField.tsx';

/**
 * `isChecked`: the username was free before the first attempt, so if it is taken now, that attempt
 * succeeded.
 */
type NewUserVariables = { body: Omit<NewUser, 'password'>; isChecked?: boolean };

type UserFields = Record<'username' | 'role' | 'full_name' | 'email', string> & {
  /** Undefined if nothing is chosen yet. */
  parks: Parks | undefined;
  isOneTime: boolean;
};

const formName = formNames.newUser();

/** Only Admins may send an email address. */
const toBody = ({ email, parks, isOneTime, ...values }: UserFields) =>
  ({
    ...values,
    ...(email && { email }),
    ...(parks !== undefined && toParkInput(parks)),
    ...(isOneTime && { isOneTime }),
  }) as Omit<NewUser, 'password'>;

const addPassword = (body: Omit<NewUser, 'password'>, password: string): NewUser =>
  body.isOneTime ? body : { ...body, password };

async function sendUser(variables: NewUserVariables, key: string, { password }: { password: string }) {
  const { body } = variables;
  if (!variables.isChecked) {
    const usernameCheck = await callApi(api.userExists, { body: { username: body.username } });
    if (usernameCheck.exists)
      throw new ApiError(409, JSON.stringify({ message: existsText, fields: { username: existsText } }));
  }
  variables.isChecked = true;
  return callApiWithRetry(api.createUser, { body: addPassword(body, password), key });
}

export function CreateUserForm({ onCreated }: { onCreated: (reply: NewUserReply, isOneTime: boolean) => void }) {
  const currentUser = useUser();
  const { data: roles = ['None' as const] } = useQuery(queryFor(api.listRoles));
  const [createdCount, setCreatedCount] = useState(0);
  const [isOpen, setOpen] = useState(true);
  const form = useForm<UserFields, NewUserReply, NewUserVariables, { password: string }>(formName, {
    start: { username: '', role: 'None', parks: undefined, full_name: '', email: '', isOneTime: false },
    secrets: { password: '' },
    check: ({ password, ...values }) => getFieldErrors(NewUser, addPassword(toBody(values), password)),
    toSent(values) {
      const body = toBody(values);
      const last = findUnsavedVariables<NewUserVariables>(formName.name);
      return last && JSON.stringify(last.body) === JSON.stringify(body) ? last : { body };
    },
    send: sendUser,
    onSaved(reply, { body }) {
      setCreatedCount((count) => count + 1);
      onCreated(reply, body.isOneTime === true);
      // Without scrolling, because the message stands beside the button.
      document.forms.namedItem(formName.name)?.querySelector('input')?.focus({ preventScroll: true });
    },
  });
  const { error, errors, field, isTyped } = form;
  const problem = error && (error.fields.username === existsText ? existsText : describeFailure(error, createErrors));
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
          <ChevronDown aria-hidden size={20} className="chevron" />
        </UnstyledButton>
      </Title>
      <FormElement form={form} id="create-user-form" hidden={!isOpen}>
        <div className={styles.fields}>
          <TextInput
            {...field('username')}
            label="Username"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
          />
          <div className="stack tight">
            {!form.values.isOneTime && (
              <PasswordField
                {...form.secret('password')}
                label="Password"
                description={`At least ${getMinPasswordLength()} characters`}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                withAsterisk
                autoComplete="new-password"
              />
            )}
            <Checkbox
              {...form.checkbox('isOneTime')}
              label="Make a one-time password"
              description="Shown once, on a card to print"
            />
          </div>
          <NativeSelect
            {...field('role')}
            label="Role"
            data={roles.map((value) => ({ value, label: nameRole(value) }))}
            required
          />
          <ParksField
            // Starts again for the next user.
            key={createdCount}
            name="park"
            label="Park"
            legend="Parks"
            before={[]}
            value={form.values.parks}
            onChange={(parks) => {
              form.set({ parks });
              form.clearErrors('park');
            }}
            error={errors.park ?? errors.parks}
            required
          />
          <Fields form={form} fields={listDetailFields(isAllowed('admin', currentUser))} />
        </div>
        <div className={styles.footer}>
          <Button type="submit" loading={form.isSaving}>
            Create User
          </Button>
          <StatusLine status={toStatus(problem, createdCount > 0 && !isTyped && createdText)} />
        </div>
      </FormElement>
    </section>
  );
}
