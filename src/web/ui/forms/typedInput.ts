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

/** The forms that were opened in this page, and where they are kept, by name. */
export const openedForms = createStore<Record<string, Keep>>({});

export const markAsOpened = ({ name, keep }: FormName) => openedForms.set({ ...openedForms.get(), [name]: keep });

export function storeTypedInput(name: string, input: TypedInput | undefined) {
  const { [name]: _, ...others } = typedInput.get();
  typedInput.set(input ? { ...others, [name]: input } : others);
}

export function storeInputElsewhere(name: string, takeOver: (() => void) | undefined) {
  const { [name]: _, ...others } = inputElsewhere.get();
  inputElsewhere.set(takeOver ? { ...others, [name]: takeOver } : others);
}
