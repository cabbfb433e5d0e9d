import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Folder, NewFolder } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import { refreshScreen } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import type { useSave } from '../../client/useSave.ts';
import { ConflictDialog } from '../../ui/dialogs/ConflictDialog.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import { OpenInAnotherTab } from '../../ui/feedback/OpenInAnotherTab.tsx';
import { bindFields } from '../../ui/forms/bindFields.ts';
import { getFieldErrors } from '../../ui/forms/fieldErrors.ts';
import { listFormParks } from '../../ui/forms/parkChoices.ts';
import { useTypedInput } from '../../ui/forms/useTypedInput.ts';
import {
  type FolderEdits,
  type FolderVariables,
  folderSaveName,
  getFolderFormName,
  hasUnsavedEdits,
  listConflictingFields,
} from './folderEdits.ts';
import { ThumbnailField } from './ThumbnailField.tsx';

type FolderDialogProps = {
  /** The input of the dialog, unless some is kept for it. */
  start: FolderEdits;
  saving: ReturnType<typeof useSave<FolderVariables, unknown>>;
  /** `isInputKept`: the input is shown when the dialog is opened again. */
  onClose: (isInputKept: boolean) => void;
};

export function FolderDialog({ start, saving, onClose }: FolderDialogProps) {
  const user = useUser();
  // Input survives Back and a reload.
  const input = useTypedInput(getFolderFormName(start), start);
  const edits = input.values;
  const { folder, values, thumbnail } = edits;
  const [isPreparing, setPreparing] = useState(false);
  const { errors, error, isSaving, variables } = saving;
  const newer = saving.newer as Folder | undefined;
  const isChanged = hasUnsavedEdits(edits, user.park);

  const edit = (update: (edits: FolderEdits) => Partial<FolderEdits>) =>
    input.replace((edits) => {
      const next = { ...edits, ...update(edits), isOpen: true };
      return hasUnsavedEdits(next, user.park) ? next : undefined;
    });

  // Closing keeps the input for a new folder; changes of an existing one are lost, so it asks.
  const discard = useConfirmDiscard(
    folder !== undefined && isChanged && !isSaving && !input.takeOver,
    () => onClose(folder === undefined),
    { isInputStored: true },
  );
  const { field } = bindFields(values, errors, (change) => {
    edit(({ values }) => ({ values: { ...values, ...change } }));
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
          onClose(false);
        }}
        onClose={saving.dismiss}
      />
    );
  return (
    <Dialog opened discard={discard} title={folder ? 'Edit Folder' : 'New Folder'} closeOnClickOutside={false}>
      {input.takeOver ? (
        <OpenInAnotherTab onTakeOver={input.takeOver} />
      ) : (
        <form name={folderSaveName} onSubmit={submit} noValidate>
          <Stack>
            <TextInput {...field('name')} label="Name" required maxLength={textLimits.name} data-autofocus />
            <Textarea {...field('description')} label="Description" rows={3} maxLength={textLimits.note} />
            <NativeSelect
              {...field('park')}
              label="Park"
              required
              data={[
                ...(user.parks ? [] : [{ value: '', label: 'Choose a park', disabled: true }]),
                ...listFormParks(user, field('park').value),
              ]}
            />
            <ThumbnailField
              value={thumbnail}
              onChange={(thumbnail) => edit(() => ({ thumbnail }))}
              onBusyChange={setPreparing}
            />
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
      )}
    </Dialog>
  );
}
