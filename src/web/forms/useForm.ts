import { type FormEvent, useState } from 'react';
import type * as z from 'zod/mini';
import { getNewerVersion } from '../client/errors.ts';
import { dismissSave } from '../client/saves.ts';
import { type SaveOptions, useLastSave, useSave } from '../client/useSave.ts';
import type { FormName, Keep } from '../formNames.ts';
import { bindFields } from '../ui/forms/bindFields.ts';
import { type FieldErrors, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import type { Secret } from '../ui/forms/secretFields.ts';
import { storeTypedInput, typedInput } from '../ui/forms/typedInput.ts';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import { useStore } from '../useStore.ts';

export type FormOptions<Values, Reply, Sent, Secrets> = Omit<SaveOptions<Sent, Reply>, 'send'> & {
  /** The initial values. */
  start: Values;
  /**
   * The initial passwords, PINs and codes, whose props are `form.secret('pin')`. They are kept nowhere but in the open
   * form, and cleared when it is left or sending fails. The browser does not ask before they are lost: a sign-in leaves
   * the page at once.
   */
  secrets?: Secrets;
  /** Continues even if the form is closed. */
  send: (sent: Sent, key: string, secrets: Secrets) => Promise<Reply>;
  /** Must fit the values, or nothing is sent. */
  schema?: z.ZodMiniType;
  /** Returns errors by field; nothing is sent if there are any. */
  check?: (values: Values & Secrets) => Partial<FieldErrors>;
  /** Returns the changes to make when fields change; it may add to them. */
  toChanges?: (values: Values, changes: Partial<Values>) => Partial<Values>;
  /** Returns what is sent, if it is not the values. */
  toSent?: (values: Values) => Sent;
  /**
   * For a form that stays open after a save: keeps values that were changed during the save, and returns what else
   * to change, such as the version. Without it, they are discarded.
   */
  toKept?: (reply: Reply) => Partial<Values>;
  /** For a form that a button opens: does not call `onSaved` for a save from before it was opened. */
  isOpenedByUser?: boolean;
};

/** Values that may be kept: passwords, PINs and codes are among the `secrets`. */
export type WithoutSecrets = {
  [name in 'password' | 'pin' | 'code' | `${string}${'Password' | 'Pin' | 'Code'}`]?: never;
};
/** Where a form with these secrets may keep its other input. */
type KeepWith<Secrets> = [keyof Secrets] extends [never] ? Keep : 'nothing';

/**
 * A form that does not use the outbox. Input is kept until it is saved or discarded, for 14 days, as formNames.ts says;
 * saving continues when the form is closed. Draw it with `FormDialog`, `InlineForm` or `FormElement`.
 */
export function useForm<
  Values extends WithoutSecrets,
  Reply = unknown,
  Sent = Values,
  Secrets extends Record<string, string> = Record<never, string>,
>(
  formName: FormName<KeepWith<Secrets>>,
  {
    start,
    secrets = {} as Secrets,
    schema,
    check,
    toChanges,
    toSent,
    toKept,
    isOpenedByUser = false,
    send,
    meta,
    onSaved,
    onFailed,
    toFieldErrors,
  }: FormOptions<Values, Reply, Sent, Secrets>,
) {
  const { name } = formName;
  const { values, isTyped: isInputTyped, ...input } = useTypedInput<Values>(formName, start);
  const [typedSecrets, setTypedSecrets] = useState<Partial<Secrets>>({});
  const secretValues: Secrets = { ...secrets, ...typedSecrets };
  const isSecretTyped = Object.values(typedSecrets).some((text) => text !== '');
  const isTyped = isInputTyped || isSecretTyped;
  const clearSecrets = () =>
    setTypedSecrets(Object.fromEntries(Object.keys(secrets).map((field) => [field, ''])) as Partial<Secrets>);
  const saving = useSave<Sent, Reply>(name, {
    send: (sent, key) => send(sent, key, secretValues),
    meta,
    onSaved(reply, sent, isFromBefore) {
      clearSecrets();
      const kept = toKept?.(reply);
      if (kept && isInputTyped && isChangedSince(sent, Object.keys(kept))) input.set(kept);
      else input.clear();
      if (!(isFromBefore && isOpenedByUser)) onSaved?.(reply, sent, isFromBefore);
    },
    onFailed(error, sent, newer) {
      clearSecrets();
      onFailed?.(error, sent, newer);
    },
    toFieldErrors,
  });
  const { errors } = saving;

  /** Whether a value, apart from the named, is not the one that was sent. */
  const isChangedSince = (sent: Sent, except: string[]) =>
    Object.entries(values).some(
      ([name, value]) => !except.includes(name) && value !== (sent as Record<string, unknown>)[name],
    );

  const set = (changes: Partial<Values & Secrets>) => {
    const isSecret = ([field]: [string, unknown]) => field in secrets;
    const entries = Object.entries(changes);
    const others = Object.fromEntries(entries.filter((entry) => !isSecret(entry))) as Partial<Values>;
    const changedSecrets = Object.fromEntries(entries.filter(isSecret)) as Partial<Secrets>;
    if (Object.keys(changedSecrets).length > 0) setTypedSecrets((typed) => ({ ...typed, ...changedSecrets }));
    if (Object.keys(others).length > 0) input.set(toChanges?.(values, others) ?? others);
    // A message that is not at a field may be about any of them.
    const isAtField = (field: string) => field in values || field in secrets;
    saving.clearErrors(...Object.keys(changes), ...Object.keys(errors).filter((field) => !isAtField(field)));
  };
  const submit = () => {
    // Read first, because showErrors dismisses the last attempt, whose outcome it may need.
    const sent = toSent?.(values) ?? (values as unknown as Sent);
    const all = { ...values, ...secretValues };
    const found = { ...(schema && getFieldErrors(schema, all)), ...check?.(all) };
    if (!saving.showErrors(found as FieldErrors)) saving.save(sent);
  };
  return {
    ...saving,
    values,
    /** Whether there is input that is not saved. */
    isTyped,
    set,
    ...bindFields(values, errors, set as (changes: Partial<Values>) => void),
    secret: bindFields(secretValues, errors, set as (changes: Partial<Secrets>) => void).field as unknown as (
      name: keyof Secrets & string,
    ) => Secret,
    takeOver: input.takeOver,
    submit,
    /** Discards the input, and the outcome of the last save. */
    discard() {
      input.clear();
      clearSecrets();
      saving.dismiss();
    },
    props: {
      name,
      noValidate: true,
      onSubmit(event: FormEvent) {
        event.preventDefault();
        submit();
      },
    },
  };
}

/** The state of the form with this name, for a dialog that contains more than the form. */
export function useFormState({ name }: FormName) {
  const isTyped = name in useStore(typedInput);
  const save = useLastSave(name);
  return {
    isUnsaved: isTyped && save?.status !== 'pending',
    hasConflict: getNewerVersion(save?.error) !== undefined,
    discard() {
      storeTypedInput(name, undefined);
      dismissSave(name);
    },
  };
}

/** What InlineForm and FormDialog need of a form. */
export type Form = Pick<
  ReturnType<typeof useForm<object>>,
  'props' | 'isTyped' | 'isSaving' | 'failure' | 'discard' | 'takeOver'
>;
