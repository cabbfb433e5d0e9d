import { useState } from 'react';
import { useStore } from '../../useStore.ts';
import { storeTypedInput, typedInput } from './typedInput.ts';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';

/**
 * The values of a form. They stay when the form is left, because forms are easily left by mistake. With `isKept`, which
 * is usual, they also stay when the page is closed: drafts/sealedInput.ts keeps them. The browser asks before a reload,
 * because the last words may not be written yet. Call `clear` once they are saved.
 */
export function useTypedInput<Values extends object>(name: string, start: Values, isKept = true) {
  const typed = useStore(typedInput)[name]?.values as Values | undefined;
  useAskBeforeLeaving(typed !== undefined);
  return {
    values: typed ?? start,
    isTyped: typed !== undefined,
    set: (changes: Partial<Values>) =>
      storeTypedInput(name, { values: { ...start, ...typedInput.get()[name]?.values, ...changes }, isKept }),
    clear: () => storeTypedInput(name, undefined),
  };
}

/**
 * Whether a form that a button opens is open. One that was left with input is open from the start; what was left
 * before a reload is brought back a moment later, and opens it then.
 */
export function useIsFormOpen(name: string) {
  const hasInput = name in useStore(typedInput);
  const [isOpen, setOpen] = useState(hasInput);
  const [hadInput, setHadInput] = useState(hasInput);
  if (hadInput !== hasInput) {
    setHadInput(hasInput);
    if (hasInput) setOpen(true);
  }
  return [isOpen, setOpen] as const;
}
