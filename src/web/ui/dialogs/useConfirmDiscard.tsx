import { useState } from 'react';
import { useAskBeforeLeaving } from '../forms/useAskBeforeLeaving.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import type { Discard } from './Dialog.tsx';

/**
 * For a dialog with a form: pass the result to Dialog as `discard`. While `isChanged`, Cancel,
 * Escape, Back and a click outside ask first; so does the browser before a reload, unless with `isInputStored`
 * the input survives the reload.
 */
export function useConfirmDiscard(isChanged: boolean, onClose: () => void, { isInputStored = false } = {}): Discard {
  const [pendingAction, setPendingAction] = useState<() => void>();
  useAskBeforeLeaving(isChanged && !isInputStored);
  const confirmLeave = (then: () => void) => (isChanged ? setPendingAction(() => then) : then());
  return {
    close: () => confirmLeave(onClose),
    leave: confirmLeave,
    isAsking: pendingAction !== undefined,
    question: (
      <ConfirmDialog
        isOpen={pendingAction !== undefined}
        title="Discard your changes?"
        confirm="Discard Changes"
        cancel="Keep Editing"
        isDangerous
        onConfirm={() => {
          setPendingAction(undefined);
          pendingAction?.();
        }}
        onCancel={() => setPendingAction(undefined)}
      >
        What you entered has not been saved yet.
      </ConfirmDialog>
    ),
  };
}
