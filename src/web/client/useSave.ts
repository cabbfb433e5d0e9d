// Saves a form that does not use the outbox.
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ApiError } from '#shared/client.ts';
import { type FieldErrors, focusFirstError, removeErrors, withoutErrorOf } from '../ui/forms/fieldErrors.ts';
import { dismissSave, findSave, type Save, type SendFunction, startSave, subscribeToSaves } from './saves.ts';

type Options<Variables, Reply> = {
  /** Continues even if the form is closed. */
  send: SendFunction<Variables, Reply>;
  /** Called once, by the form that is open or is opened next. */
  onSaved?: (reply: Reply, variables: Variables) => void;
  /**
   * Called by the form that is open or is opened next; `newer` is the record as another user saved
   * it.
   */
  onFailed?: (error: ApiError, variables: Variables, newer: unknown) => unknown;
  /** Maps the server's field names to the form's, if they differ. */
  toFieldErrors?: (fields: FieldErrors) => FieldErrors;
  /** For a form that a button opens: ignores a save that succeeded before it was opened. */
  isOpenedByUser?: boolean;
  /** The element in which the first field with an error gets the focus. */
  form?: { readonly current: HTMLElement | null };
};

/** Returns what a form is sending or could not save, to show when the form is opened again. */
export const findUnsavedVariables = <Variables>(name: string) => {
  const save = findSave(name) as Save<Variables> | undefined;
  return save?.phase === 'saved' ? undefined : save?.variables;
};

/** The current or last save of the form with this name; undefined if there is none. */
export const useLastSave = <Variables, Reply = unknown>(name: string) =>
  useSyncExternalStore(subscribeToSaves, () => findSave(name)) as Save<Variables, Reply> | undefined;

export function useSave<Variables, Reply>(
  name: string,
  { send, onSaved, onFailed, toFieldErrors, isOpenedByUser = false, form }: Options<Variables, Reply>,
) {
  const save = useLastSave<Variables, Reply>(name);
  const [found] = useState(save);
  const [errors, setErrors] = useState<FieldErrors>({});

  const handleOutcome = useEffectEvent(() => {
    // In development React runs effects of a new screen twice.
    if (!save || save !== findSave(name)) return;
    if (save.phase === 'saved') {
      dismissSave(name);
      if (save !== found || !isOpenedByUser) onSaved?.(save.reply, save.variables);
    }
    if (save.phase !== 'failed') return;
    const fields = toFieldErrors?.(save.error.fields) ?? save.error.fields;
    setErrors(fields);
    onFailed?.(save.error, save.variables, save.newer);
    if (Object.keys(fields).length > 0 && form?.current) focusFirstError(form.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the save changes
  useEffect(() => handleOutcome(), [save]);

  const error = save?.phase === 'failed' && save.newer === undefined ? save.error : undefined;
  return {
    isSaving: save?.phase === 'saving',
    /** What is being sent, or could not be saved. */
    variables: save?.phase === 'saved' ? undefined : save?.variables,
    /** The error of the last save. */
    error,
    /** The error of the last save, unless its messages are shown at fields. */
    failure: error && Object.keys(error.fields).length === 0 ? error : undefined,
    /** The record as another user saved it. */
    newer: save?.phase === 'failed' ? save.newer : undefined,
    errors,
    /** Shows errors found before sending; returns whether there are any. */
    showErrors(foundErrors: FieldErrors): boolean {
      dismissSave(name);
      setErrors(foundErrors);
      const hasErrors = Object.keys(foundErrors).length > 0;
      if (hasErrors && form?.current) focusFirstError(form.current);
      return hasErrors;
    },
    /** Call when a field was corrected. */
    clearErrors: (...names: string[]) => setErrors((errors) => removeErrors(errors, ...names)),
    /** The same as an `onChange` for a form whose fields store their own values. */
    clearErrorOf: (event: { target: EventTarget }) => setErrors((errors) => withoutErrorOf(errors, event)),
    save(variables: Variables) {
      setErrors({});
      void startSave(name, variables, send);
    },
    dismiss: () => dismissSave(name),
  };
}
