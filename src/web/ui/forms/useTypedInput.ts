import { createStore } from '../../createStore.ts';
import { useStore } from '../../useStore.ts';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';

const inputByForm = createStore<Record<string, object>>({});

/** Whether the form with this name was left with input. */
export const hasTypedInput = (name: string) => name in inputByForm.get();

function storeInput(name: string, values: object | undefined) {
  const { [name]: _, ...others } = inputByForm.get();
  inputByForm.set(values ? { ...others, [name]: values } : others);
}

/**
 * The values of a form, kept while the page is open, because forms are easily left by mistake; the
 * browser asks before a reload. Call `clear` once they are saved.
 */
export function useTypedInput<Values extends object>(name: string, start: Values) {
  const typed = useStore(inputByForm)[name] as Values | undefined;
  useAskBeforeLeaving(typed !== undefined);
  return {
    values: typed ?? start,
    isTyped: typed !== undefined,
    set: (changes: Partial<Values>) => storeInput(name, { ...start, ...inputByForm.get()[name], ...changes }),
    clear: () => storeInput(name, undefined),
  };
}
