import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { type Folder, NewFolder } from '#shared/audits.ts';
import { parks, textLimits } from '#shared/choices.ts';
import type { ApiError } from '#shared/client.ts';
import { previewUrl } from '#shared/uploads.ts';
import { callApi, callApiWithRetry, queryClient } from '../client/api.ts';
import { getNewerVersion, readError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { uploadImage } from '../photos/uploadImage.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { ConflictDialog } from '../ui/dialogs/ConflictDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors, removeErrors } from '../ui/forms/fieldErrors.ts';
import { ThumbnailField } from './ThumbnailField.tsx';

/** The typed values and the thumbnail: a new image, the path of the current one, or none. */
export type FolderDraft = {
  values: { name: string; description: string; park: string };
  thumbnail: File | string | undefined;
};

type FolderDialogProps = {
  folder: Folder | undefined;
  /** Initial values instead of the folder's. */
  typed?: FolderDraft | undefined;
  /** Called with the typed values if nothing was saved. */
  onClose: (typed?: FolderDraft) => void;
};

export function FolderDialog({ folder, typed, onClose }: FolderDialogProps) {
  const user = useUser();
  const [opened] = useState<Texts>({
    name: folder?.name ?? '',
    description: folder?.description ?? '',
    park: folder?.park ?? user.park,
  });
  const [values, setValues] = useState(typed?.values ?? opened);
  const [thumbnail, setThumbnail] = useState(typed?.thumbnail ?? folder?.thumbnail ?? undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<ApiError>();
  const [conflict, setConflict] = useState<Folder>();
  const [isBusy, setBusy] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [key] = useState(newUuid);
  const failed = folder ? 'Failed to update audit folder' : 'Failed to create audit folder';

  const changes = Object.fromEntries(
    textNames.filter((name) => values[name] !== opened[name]).map((name) => [name, values[name]]),
  ) as Partial<Texts>;
  const isThumbnailChanged = (thumbnail ?? null) !== (folder?.thumbnail ?? null);
  const isChanged = Object.keys(changes).length > 0 || isThumbnailChanged;

  // A new folder is kept as a draft; what was changed of an existing one is not.
  const dismiss = () => (folder && isChanged ? setLeaving(true) : onClose({ values, thumbnail }));
  const set = (change: Partial<typeof values>) => {
    setValues((values) => ({ ...values, ...change }));
    setErrors((errors) => removeErrors(errors, ...Object.keys(change)));
  };

  /** Sends what was changed, on top of the folder as it was opened or as a conflict showed it. */
  const save = async (onto: Folder | undefined, form?: HTMLElement) => {
    setBusy(true);
    setError(undefined);
    try {
      if (onto) {
        const { name, description, park, version } = onto;
        const body = { name, description, park, ...changes } as Body;
        const path =
          thumbnail instanceof File ? (await uploadImage(thumbnail, 'photo', newUuid())).filePath : (thumbnail ?? null);
        if (path) setThumbnail(path);
        const replaced = isThumbnailChanged && { thumbnail: path };
        await callApi(api.updateFolder, { params: { id: onto.id }, body: { ...body, ...replaced, version } });
      } else {
        const file = thumbnail instanceof File ? { file: thumbnail, fileName: thumbnail.name } : {};
        await callApiWithRetry(api.createFolder, { body: values as Body, ...file, key });
      }
      await queryClient.invalidateQueries();
      onClose();
    } catch (error) {
      setBusy(false);
      const newer = getNewerVersion<Folder>(error);
      if (newer) return setConflict(newer);
      setConflict(undefined);
      setErrors(readError(error).fields);
      setError(readError(error));
      if (form) focusFirstError(form);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = getFieldErrors(NewFolder, values);
    setErrors(found);
    if (Object.keys(found).length > 0) return focusFirstError(event.currentTarget);
    void save(folder, event.currentTarget);
  };

  if (isLeaving)
    return (
      <ConfirmDialog
        isOpen
        title="Discard your changes?"
        confirm="Discard Changes"
        cancel="Keep Editing"
        isDangerous
        onConfirm={() => onClose()}
        onCancel={() => setLeaving(false)}
      >
        You have changed this folder and not saved it yet.
      </ConfirmDialog>
    );
  if (conflict)
    return (
      <ConflictDialog
        title="Someone else has changed this folder"
        text="Your changes are not lost. Choose which version to keep."
        differences={[
          ...listDifferences(changes, conflict),
          ...(isThumbnailChanged && conflict.thumbnail !== folder?.thumbnail
            ? [{ label: 'Thumbnail', isImage: true, mine: imageUrl(thumbnail), theirs: imageUrl(conflict.thumbnail) }]
            : []),
        ]}
        isBusy={isBusy}
        onKeepMine={() => save(conflict)}
        onKeepTheirs={async () => {
          await queryClient.invalidateQueries();
          onClose();
        }}
        onClose={() => setConflict(undefined)}
      />
    );
  return (
    <Dialog opened onClose={dismiss} title={folder ? 'Edit Folder' : 'New Folder'} closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={textLimits.name}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={errors.name}
            data-autofocus
          />
          <Textarea
            label="Description"
            rows={3}
            maxLength={textLimits.note}
            value={values.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            error={errors.description}
          />
          <NativeSelect
            label="Park"
            required
            data={user.park ? [user.park] : [{ value: '', label: 'Choose a park', disabled: true }, ...parks]}
            value={values.park}
            onChange={(event) => set({ park: event.currentTarget.value })}
            error={errors.park}
          />
          <ThumbnailField value={thumbnail} onChange={setThumbnail} onBusyChange={setPreparing} />
          <ErrorBox message={error ? failed : ''} reason={error?.message} />
          <Group justify="flex-end">
            <Button variant="default" onClick={dismiss}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={isPreparing}>
              {folder ? 'Save Folder' : 'Create Folder'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const labels = { name: 'Name', description: 'Description', park: 'Park' } as const;
type Texts = Record<keyof typeof labels, string>;
type Body = Texts & { park: (typeof parks)[number] };
const textNames = Object.keys(labels) as (keyof Texts)[];

const listDifferences = (changes: Partial<Texts>, theirs: Folder) =>
  textNames.flatMap((name) => {
    const mine = changes[name];
    return mine === undefined || mine === theirs[name] ? [] : [{ label: labels[name], mine, theirs: theirs[name] }];
  });

/** The image that stands for a thumbnail in a conflict; a new one has been uploaded by then. */
const imageUrl = (thumbnail: File | string | null | undefined) =>
  typeof thumbnail === 'string' ? previewUrl(thumbnail) : '';
