import { useState } from 'react';
import { useAskBeforeLeaving } from '../forms/useAskBeforeLeaving.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/**
 * For a dialog with unsaved input: call `close` for Cancel, Escape and Back, and show `question` inside it; Escape is its own
 * while `isAsking`. The browser asks before a reload, unless the input `survives` that.
 */
export function useConfirmDiscard(isChanged: boolean, onClose: () => void, { survives = false } = {}) {
  const [isAsking, setAsking] = useState(false);
  useAskBeforeLeaving(isChanged && !survives);
  return {
    isAsking,
    close: () => (isChanged ? setAsking(true) : onClose()),
    question: (
      <ConfirmDialog
        isOpen={isAsking}
        title="Discard your changes?"
        confirm="Discard Changes"
        cancel="Keep Editing"
        isDangerous
        onConfirm={() => {
          setAsking(false);
          onClose();
        }}
        onCancel={() => setAsking(false)}
      >
        What you entered has not been saved yet.
      </ConfirmDialog>
    ),
  };
}
