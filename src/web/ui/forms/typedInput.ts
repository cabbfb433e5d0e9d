// The input of forms that send a request at once, by the name of the form, outside React.
import { createStore } from '../../createStore.ts';

/** `isKept`: whether it may be kept in the browser, encrypted, when the page is closed. */
export type TypedInput = { values: object; isKept: boolean };

export const typedInput = createStore<Record<string, TypedInput>>({});

/** Whether the form with this name was left with input. */
export const hasTypedInput = (name: string) => name in typedInput.get();

export function storeTypedInput(name: string, input: TypedInput | undefined) {
  const { [name]: _, ...others } = typedInput.get();
  typedInput.set(input ? { ...others, [name]: input } : others);
}
