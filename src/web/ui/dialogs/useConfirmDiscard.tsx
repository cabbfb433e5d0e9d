import { useState } from 'react';
import { useAskBeforeLeaving } from '../forms/useAskBeforeLeaving.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import type { Discard } from './Dialog.tsx';

/**
 * For a dialog with a form: pass the result to Dialog as `discard`. While `isChanged`, Cancel,
 * Escape, Back and a click outside ask first; so does the browser before a reload, unless the input
 * `isKept` that.
 */
export function useConfirmDiscard(isChanged: boolean, onClose: () => void, { isKept = false } = {}): Discard {
  const [pending, setPending] = useState<() => void>();
  useAskBeforeLeaving(isChanged && !isKept);
  const leave = (then: () => void) => (isChanged ? setPending(() => then) : then());
  return {
    close: () => leave(onClose),
    leave,
    isAsking: pending !== undefined,
    question: (
      <ConfirmDialog
        isOpen={pending !== undefined}
        title="Discard your changes?"
        confirm="Discard Changes"
        cancel="Keep Editing"
        isDangerous
        onConfirm={() => {
          setPending(undefined);
          pending?.();
        }}
        onCancel={() => setPending(undefined)}
      >
        What you entered has not been saved yet.
      </ConfirmDialog>
    ),
  };
}
