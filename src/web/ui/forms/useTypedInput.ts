import { useState } from 'react';
import { useAskBeforeLeaving } from './useAskBeforeLeaving.ts';

const inputByForm = new Map<string, object>();

/** Whether the form with this name was left with input. */
export const hasTypedInput = (name: string) => inputByForm.has(name);

/**
 * The values of a form inside something that is easily closed, such as the details of a report.
 * Kept while the page is open; the browser asks before a reload. Call `clear` once they are saved.
 */
export function useTypedInput<Values extends object>(name: string, start: Values) {
  const [empty] = useState(start);
  const [values, setValues] = useState(() => (inputByForm.get(name) as Values | undefined) ?? empty);
  useAskBeforeLeaving(values !== empty);
  return {
    values,
    set(changes: Partial<Values>) {
      const next = { ...values, ...changes };
      inputByForm.set(name, next);
      setValues(next);
    },
    clear() {
      inputByForm.delete(name);
      setValues(empty);
    },
  };
}
