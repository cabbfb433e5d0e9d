// Saves a form that does not use the outbox.
import type { MutationMeta } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ApiError } from '#shared/client.ts';
import { type FieldErrors, focusFirstError, removeErrors } from '../ui/forms/fieldErrors.ts';
import { getNewerVersion } from './errors.ts';
import { dismissSave, findSave, type SendFunction, startSave, subscribeToSaves } from './saves.ts';

export type SaveOptions<Variables, Reply> = {
  /** Continues even if the form is closed. */
  send: SendFunction<Variables, Reply>;
  meta?: MutationMeta | undefined;
  /**
   * Called once, by the form that is open or is opened next; `isFromBefore`: it was saved before the
   * form was opened.
   */
  onSaved?: ((reply: Reply, variables: Variables, isFromBefore: boolean) => void) | undefined;
  /**
   * Called by the form that is open or is opened next; `newer` is the record as another user saved
   * it.
   */
  onFailed?: ((error: ApiError, variables: Variables, newer: unknown) => unknown) | undefined;
  /** Maps the server's field names to the form's, if they differ. */
  toFieldErrors?: ((fields: FieldErrors) => FieldErrors) | undefined;
};

/** Returns what a form is sending or could not save, to show when the form is opened again. */
export const findUnsavedVariables = <Variables>(name: string) => {
  const save = findSave<Variables, unknown>(name);
  return save?.status === 'success' ? undefined : save?.variables;
};

/** Returns the current or last save of the form with this name; undefined if there is none. */
export const useLastSave = <Variables, Reply = unknown>(name: string) =>
  useSyncExternalStore(subscribeToSaves, () => findSave<Variables, Reply>(name));

/**
 * Saves the form with this name. The first field with an error gets the focus, if the form element has
 * the name too.
 */
export function useSave<Variables, Reply>(
  name: string,
  { send, meta, onSaved, onFailed, toFieldErrors }: SaveOptions<Variables, Reply>,
) {
  const save = useLastSave<Variables, Reply>(name);
  const [saveAtOpening] = useState(save);
  const [errors, setErrors] = useState<FieldErrors>({});

  /** Shows errors at their fields; returns whether there are any. */
  const show = (foundErrors: FieldErrors): boolean => {
    setErrors(foundErrors);
    const hasErrors = Object.keys(foundErrors).length > 0;
    const form = document.forms.namedItem(name);
    if (hasErrors && form) focusFirstError(form);
    return hasErrors;
  };
  const handleOutcome = useEffectEvent(() => {
    // In development React runs effects of a new screen twice.
    if (!save || save !== findSave(name)) return;
    if (save.status === 'success') {
      dismissSave(name);
      onSaved?.(save.data as Reply, save.variables as Variables, save === saveAtOpening);
    }
    if (!save.error) return;
    onFailed?.(save.error, save.variables as Variables, getNewerVersion(save.error));
    show(toFieldErrors?.(save.error.fields) ?? save.error.fields);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the save changes
  useEffect(() => handleOutcome(), [save]);

  const newer = getNewerVersion<unknown>(save?.error);
  const error = (newer === undefined && save?.error) || undefined;
  return {
    isSaving: save?.status === 'pending',
    /** What is being sent, or could not be saved. */
    variables: save?.status === 'success' ? undefined : save?.variables,
    /** The error of the last save. */
    error,
    /** The error of the last save, unless its messages are shown at fields. */
    failure: error && Object.keys(error.fields).length === 0 ? error : undefined,
    /** The record as another user saved it. */
    newer,
    errors,
    /** Shows errors found before sending; returns whether there are any. */
    showErrors(foundErrors: FieldErrors): boolean {
      dismissSave(name);
      return show(foundErrors);
    },
    /** Call when a field was corrected. */
    clearErrors: (...names: string[]) => setErrors((errors) => removeErrors(errors, ...names)),
    save(variables: Variables) {
      setErrors({});
      void startSave(name, variables, send, meta);
    },
    dismiss: () => dismissSave(name),
  };
}
