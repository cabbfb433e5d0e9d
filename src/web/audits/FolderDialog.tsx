import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { type Folder, NewFolder } from '#shared/audits.ts';
import { parks } from '#shared/choices.ts';
import { ApiError } from '#shared/client.ts';
import { callApi, callApiWithRetry, queryClient } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { newUuid } from '../newUuid.ts';
import { uploadImage } from '../photos/uploadImage.ts';
import { ConflictDialog } from '../ui/dialogs/ConflictDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors } from '../ui/forms/fieldErrors.ts';
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
  const [values, setValues] = useState(
    typed?.values ?? {
      name: folder?.name ?? '',
      description: folder?.description ?? '',
      park: folder?.park ?? user.park,
    },
  );
  const [thumbnail, setThumbnail] = useState(typed?.thumbnail ?? folder?.thumbnail ?? undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<ApiError>();
  const [conflict, setConflict] = useState<Folder>();
  const [isBusy, setBusy] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [key] = useState(newUuid);
  const failed = folder ? 'Failed to update audit folder' : 'Failed to create audit folder';

  const dismiss = () => onClose({ values, thumbnail });
  const set = (change: Partial<typeof values>) => setValues((values) => ({ ...values, ...change }));

  const save = async (version: number | undefined, form?: HTMLElement) => {
    setBusy(true);
    setError(undefined);
    try {
      const body = values as typeof values & { park: (typeof parks)[number] };
      if (folder) {
        const path =
          thumbnail instanceof File ? (await uploadImage(thumbnail, 'photo', newUuid())).filePath : (thumbnail ?? null);
        if (path) setThumbnail(path);
        // An unchanged thumbnail is not sent, because someone else may have replaced it.
        const replaced = path === folder.thumbnail ? {} : { thumbnail: path };
        await callApi(api.updateFolder, { params: { id: folder.id }, body: { ...body, ...replaced, version } });
      } else {
        const file = thumbnail instanceof File ? { file: thumbnail, fileName: thumbnail.name } : {};
        await callApiWithRetry(api.createFolder, { body, ...file, key });
      }
      await queryClient.invalidateQueries();
      onClose();
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'STALE') return setConflict(error.body.current as Folder);
      setConflict(undefined);
      setErrors(error.fields);
      setError(error);
      if (form) focusFirstError(form);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = getFieldErrors(NewFolder, values);
    setErrors(found);
    if (Object.keys(found).length > 0) return focusFirstError(event.currentTarget);
    void save(folder?.version, event.currentTarget);
  };

  if (conflict)
    return (
      <ConflictDialog
        title="Someone else has changed this folder"
        text="Your changes are not lost. Choose which version to keep."
        differences={listDifferences(values, conflict)}
        isBusy={isBusy}
        onKeepMine={() => save(conflict.version)}
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
            maxLength={120}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={errors.name}
            data-autofocus
          />
          <Textarea
            label="Description"
            rows={3}
            maxLength={2000}
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

const listDifferences = (mine: Record<keyof typeof labels, string>, theirs: Folder) =>
  (Object.keys(labels) as (keyof typeof labels)[])
    .filter((field) => mine[field] !== theirs[field])
    .map((field) => ({ label: labels[field], mine: mine[field], theirs: theirs[field] }));
