import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { api } from '#shared/api.ts';
import { send } from '../api.ts';

/** A thing of a list, deleted once that is confirmed: `ask` about one, and hand `dialog` to a ConfirmDialog. */
export function useDeletion<Thing extends { id: string }>(row: typeof api.deleteFolder | typeof api.deleteAudit) {
  const { mutate, reset, isPending, error } = useMutation(send(row));
  const [asked, ask] = useState<Thing>();
  const dialog = {
    isOpen: asked !== undefined,
    confirm: 'Delete',
    isDangerous: true,
    isBusy: isPending,
    onConfirm: () => asked && mutate({ params: { id: asked.id } }, { onSuccess: () => ask(undefined) }),
    onCancel() {
      ask(undefined);
      reset();
    },
  };
  return { asked, ask, error, dialog };
}
