// The input of forms that send a request at once, by the name of the form, outside React.
import { createStore } from '../../createStore.ts';
import type { FormName, Keep } from '../../formNames.ts';

/** `keep`: where drafts/keptInput.ts keeps it when the page is closed. */
export type TypedInput = { values: object; keep: Keep };

export const typedInput = createStore<Record<string, TypedInput>>({});

/** The forms for which another tab has input, each with a function that moves it to this tab. */
export const inputElsewhere = createStore<Record<string, () => void>>({});

/** Whether the form with this name was left with input. */
export const hasTypedInput = (name: string) => name in typedInput.get();

/**
 * The forms that are open in this page, by name. `isUsed`: this tab asks for the lock of the form although nothing is typed,
 * because it can do more than keep input, such as complete an audit.
 */
export const openForms = createStore<Record<string, { keep: Keep; isUsed?: boolean }>>({});

/** The open forms whose kept input has been looked for; undefined if the browser cannot look for it. */
export const foundForms = createStore<readonly string[] | undefined>([]);

/** Returns a function that marks the form as closed. */
export function markAsOpened({ name, keep }: FormName): () => void {
  openForms.set({ ...openForms.get(), [name]: { keep } });
  return () => {
    const { [name]: _, ...others } = openForms.get();
    foundForms.set(foundForms.get()?.filter((found) => found !== name));
    openForms.set(others);
  };
}

export function markAsUsed({ name, keep }: FormName) {
  if (!openForms.get()[name]?.isUsed) openForms.set({ ...openForms.get(), [name]: { keep, isUsed: true } });
}

export function markAsFound(name: string) {
  const found = foundForms.get();
  if (name in openForms.get() && found?.includes(name) === false) foundForms.set([...found, name]);
}

export function storeTypedInput(name: string, input: TypedInput | undefined) {
  const { [name]: _, ...others } = typedInput.get();
  typedInput.set(input ? { ...others, [name]: input } : others);
}

export function storeInputElsewhere(name: string, takeOver: (() => void) | undefined) {
  const { [name]: _, ...others } = inputElsewhere.get();
  inputElsewhere.set(takeOver ? { ...others, [name]: takeOver } : others);
}
