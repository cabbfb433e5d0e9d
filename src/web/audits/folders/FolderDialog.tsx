import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { type Folder, NewFolder } from '#shared/audits.ts';
import { parks, textLimits } from '#shared/choices.ts';
import { refreshScreen } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import type { useSave } from '../../client/useSave.ts';
import { ConflictDialog } from '../../ui/dialogs/ConflictDialog.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import { bindFields } from '../../ui/forms/bindFields.ts';
import { getFieldErrors } from '../../ui/forms/fieldErrors.ts';
import {
  type FolderEdits,
  type FolderVariables,
  folderSaveName,
  hasUnsavedEdits,
  listConflictingFields,
} from './folderEdits.ts';
import { ThumbnailField } from './ThumbnailField.tsx';

type FolderDialogProps = {
  initialEdits: FolderEdits;
  saving: ReturnType<typeof useSave<FolderVariables, unknown>>;
  /** Called with the input on every change. */
  onTyped: (edits: FolderEdits, isChanged: boolean) => void;
  /** `typed` is the input to show when the dialog is opened again. */
  onClose: (typed?: FolderEdits) => void;
};

export function FolderDialog({ initialEdits, saving, onTyped, onClose }: FolderDialogProps) {
  const user = useUser();
  const { folder } = initialEdits;
  const [values, setValues] = useState(initialEdits.values);
  const [thumbnail, setThumbnail] = useState(initialEdits.thumbnail);
  const [isPreparing, setPreparing] = useState(false);
  const { errors, error, isSaving, variables } = saving;
  const newer = saving.newer as Folder | undefined;
  const edits: FolderEdits = { folder, values, thumbnail, isOpen: true };
  const isChanged = hasUnsavedEdits(edits, user.park);

  // Input survives Back and a reload.
  const reportInput = useEffectEvent(() => onTyped(edits, isChanged));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever an entered value changes
  useEffect(() => reportInput(), [values, thumbnail]);

  // Closing keeps the input for a new folder; changes of an existing one are lost, so it asks.
  const discard = useConfirmDiscard(
    folder !== undefined && isChanged && !isSaving,
    () => (folder ? onClose() : onClose(edits)),
    { isKept: true },
  );
  const { field } = bindFields(values, errors, (change) => {
    setValues((values) => ({ ...values, ...change }));
    saving.clearErrors(...Object.keys(change));
  });

  /** Saves the input, based on the folder as it was opened or, after a conflict, on `base`. */
  const save = (base?: Folder) =>
    saving.save({
      ...edits,
      ...(base && { base }),
      // Reuses the image that the previous attempt uploaded.
      ...(thumbnail instanceof File && variables?.thumbnail === thumbnail && { path: variables.path }),
    });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!saving.showErrors(getFieldErrors(NewFolder, values))) save();
  };

  if (newer && variables)
    return (
      <ConflictDialog
        title="Someone else has changed this folder"
        text="Your changes are not lost. Choose which version to keep."
        differences={listConflictingFields(variables, newer)}
        onKeepMine={() => save(newer)}
        onKeepTheirs={async () => {
          saving.dismiss();
          await refreshScreen();
          onClose();
        }}
        onClose={saving.dismiss}
      />
    );
  return (
    <Dialog opened discard={discard} title={folder ? 'Edit Folder' : 'New Folder'} closeOnClickOutside={false}>
      <form name={folderSaveName} onSubmit={submit} noValidate>
        <Stack>
          <TextInput {...field('name')} label="Name" required maxLength={textLimits.name} data-autofocus />
          <Textarea {...field('description')} label="Description" rows={3} maxLength={textLimits.note} />
          <NativeSelect
            {...field('park')}
            label="Park"
            required
            data={user.parks ?? [{ value: '', label: 'Choose a park', disabled: true }, ...parks]}
          />
          <ThumbnailField value={thumbnail} onChange={setThumbnail} onBusyChange={setPreparing} />
          <ErrorBox
            message={error ? (folder ? 'Failed to update audit folder' : 'Failed to create audit folder') : ''}
            reason={error?.message}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={discard.close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={isPreparing}>
              {folder ? 'Save Folder' : 'Create Folder'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
