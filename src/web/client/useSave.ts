// The one way to save a form that does not go through the outbox.
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ApiError } from '#shared/client.ts';
import { type FieldErrors, focusFirstError, removeErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { dismissSave, findSave, type Save, type Send, startSave, subscribeToSaves } from './saves.ts';

type Options<Sent, Reply> = {
  /** Runs to its end whether or not the form is still open. */
  send: Send<Sent, Reply>;
  /** Called once, by the form that is open then or is opened next. */
  onSaved?: (reply: Reply, sent: Sent) => void;
  /** Called by the form that is open then or is opened next; `newer` is the record as someone else has saved it. */
  onFailed?: (error: ApiError, sent: Sent, newer: unknown) => unknown;
  /** The fields' names in the form, where the server's are others. */
  toFieldErrors?: (fields: FieldErrors) => FieldErrors;
  /** Where the first field with an error gets the focus. */
  form?: { readonly current: HTMLElement | null };
};

/** What a form, of that name, is saving or has saved: for what it shows when it is opened again. */
export const findSent = <Sent>(name: string) => {
  const save = findSave(name) as Save<Sent> | undefined;
  return save?.phase === 'saved' ? undefined : save?.sent;
};

export const useFoundSave = <Sent, Reply = unknown>(name: string) =>
  useSyncExternalStore(subscribeToSaves, () => findSave(name)) as Save<Sent, Reply> | undefined;

export function useSave<Sent, Reply>(
  name: string,
  { send, onSaved, onFailed, toFieldErrors = (fields) => fields, form }: Options<Sent, Reply>,
) {
  const save = useFoundSave<Sent, Reply>(name);
  const [errors, setErrors] = useState<FieldErrors>({});

  const settle = useEffectEvent(() => {
    // React runs effects of a new screen twice in development.
    if (!save || save !== findSave(name)) return;
    if (save.phase === 'saved') {
      dismissSave(name);
      onSaved?.(save.reply, save.sent);
    }
    if (save.phase !== 'failed') return;
    const found = toFieldErrors(save.error.fields);
    setErrors(found);
    onFailed?.(save.error, save.sent, save.newer);
    if (Object.keys(found).length > 0 && form?.current) focusFirstError(form.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something has become of what was sent
  useEffect(() => settle(), [save]);

  return {
    isSaving: save?.phase === 'saving',
    /** What was sent and is not settled yet. */
    sent: save?.sent,
    /** Why it was not saved. */
    error: save?.phase === 'failed' && save.newer === undefined ? save.error : undefined,
    /** The record as someone else has saved it. */
    newer: save?.phase === 'failed' ? save.newer : undefined,
    errors,
    /** Shows errors found before anything is sent; returns whether there are any. */
    showErrors(found: FieldErrors): boolean {
      dismissSave(name);
      setErrors(found);
      const hasAny = Object.keys(found).length > 0;
      if (hasAny && form?.current) focusFirstError(form.current);
      return hasAny;
    },
    /** A field that was corrected. */
    clearErrors: (...names: string[]) => setErrors((errors) => removeErrors(errors, ...names)),
    /** The same, as `onChange` of a form whose fields keep their own values. */
    clearErrorOf: (event: { target: EventTarget }) => setErrors((errors) => withoutErrorOf(errors, event)),
    save(sent: Sent) {
      setErrors({});
      void startSave(name, sent, send);
    },
    dismiss: () => dismissSave(name),
  };
}
