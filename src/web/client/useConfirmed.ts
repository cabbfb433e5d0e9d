import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Does something after confirmation: call `ask` with what it is about, which `send` gets, and pass
 * `dialog` to a ConfirmDialog. `failed` is the message if `send` rejects.
 */
export function useConfirmed<Asked>(
  send: (asked: Asked) => Promise<unknown>,
  failed: string,
  onDone?: (asked: Asked) => void,
) {
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({ mutationFn: send });
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const dialog = {
    isOpen: asked !== undefined,
    isBusy: isPending,
    error: error ? failed : '',
    reason: error?.message,
    onConfirm() {
      if (asked === undefined) return;
      const onSuccess = () => {
        close();
        onDone?.(asked);
      };
      mutate(asked, { onSuccess });
    },
    onCancel() {
      close();
      reset();
    },
  };
  /** `asked` is what the dialog asks about, `done` what was last confirmed. */
  return {
    asked,
    done: isSuccess ? variables : undefined,
    ask: (about: Asked) => setAsked(() => about),
    error,
    dialog,
  };
}
