import { useEffect, useState } from 'react';
import type { FormName } from '../../formNames.ts';
import { useStore } from '../../useStore.ts';
import { foundForms, inputElsewhere, markAsOpened, markAsUsed, storeTypedInput, typedInput } from './typedInput.ts';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';

/**
 * The values of a form. They stay when the form is left, because forms are easily left by mistake, and unless the
 * form keeps nothing also when the page is closed (drafts/keptInput.ts). The browser asks before a reload, because the
 * last words may not be written yet. Call `clear` once they are saved. Input that an earlier version kept may lack some
 * values: they are those of `start`.
 */
export function useTypedInput<Values extends object>({ name, keep }: FormName, start: Values) {
  const typed = useStore(typedInput)[name]?.values as Values | undefined;
  useEffect(() => markAsOpened({ name, keep }), [name, keep]);
  useAskBeforeLeaving(typed !== undefined && keep !== 'device');
  return {
    values: withMissing(typed, start),
    isTyped: typed !== undefined,
    /** Whether the kept input of the form has been looked for. */
    isFound: useStore(foundForms)?.includes(name) ?? true,
    /** Asks for the lock of the form although nothing is typed; another tab may have it. */
    use: () => markAsUsed({ name, keep }),
    set: (changes: Partial<Values>) =>
      storeTypedInput(name, { values: { ...start, ...typedInput.get()[name]?.values, ...changes }, keep }),
    /** `update` gets the newest values, also those of a change that is not drawn yet; it returns none to clear them. */
    replace(update: (values: Values) => Values | undefined) {
      const before = typedInput.get()[name]?.values as Values | undefined;
      const values = update(before ?? start);
      if (values ?? before) storeTypedInput(name, values && { values, keep });
    },
    clear: () => storeTypedInput(name, undefined),
    /** If another tab has input for the form: moves it to this tab. Show `OpenInAnotherTab` instead of the form. */
    takeOver: useStore(inputElsewhere)[name],
  };
}

/** Returns what was typed, the same object if it has every value. */
function withMissing<Values extends object>(typed: Values | undefined, start: Values): Values {
  if (!typed) return start;
  const isWhole = Array.isArray(typed) || Object.keys(start).every((field) => field in typed);
  return isWhole ? typed : { ...start, ...typed };
}

/**
 * Whether a form that a button opens is open. One that was left with input is open from the start; what was left
 * before a reload is brought back a moment later, and opens it then.
 */
export function useIsFormOpen({ name }: FormName) {
  const isTyped = name in useStore(typedInput);
  const isElsewhere = name in useStore(inputElsewhere);
  const hasInput = isTyped || isElsewhere;
  const [isOpen, setOpen] = useState(hasInput);
  const [hadInput, setHadInput] = useState(hasInput);
  if (hadInput !== hasInput) {
    setHadInput(hasInput);
    if (hasInput) setOpen(true);
  }
  return [isOpen, setOpen] as const;
}
