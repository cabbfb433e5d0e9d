// The input of a folder's dialog, and how it is saved.
import { api } from '#shared/api.ts';
import type { Folder } from '#shared/audits.ts';
import { previewUrl } from '#shared/uploads.ts';
import { callApiWithRetry } from '../../client/api.ts';
import { getNewerVersion } from '../../client/errors.ts';
import { sendChange } from '../../client/sendChange.ts';
import { formNames } from '../../formNames.ts';
import { newUuid } from '../../newUuid.ts';
import type { Difference } from '../../ui/dialogs/ConflictDialog.tsx';
import type { TypedInput } from '../../ui/forms/typedInput.ts';

export const folderSaveName = 'folder';

const labels = { name: 'Name', description: 'Description', park: 'Park' } as const;
const textNames = Object.keys(labels) as (keyof Texts)[];

type Texts = Record<keyof typeof labels, string>;

export type FolderEdits = {
  /** The folder as it was opened; undefined for a new one. */
  folder?: Folder | undefined;
  values: Texts;
  /** A new image, the path of the current one, or none. */
  thumbnail: File | string | undefined;
  /** Whether the dialog was open when the page was left. */
  isOpen: boolean;
};

/** Returns the dialog's initial input. `park` is the default of a new folder. */
export const createEdits = (park: string, folder?: Folder): FolderEdits => ({
  folder,
  values: { name: folder?.name ?? '', description: folder?.description ?? '', park: folder?.park ?? park },
  thumbnail: folder?.thumbnail ?? undefined,
  isOpen: true,
});

/** Each folder's dialog has its own input, and so has the one for a new folder. */
export const getFolderFormName = ({ folder }: FolderEdits) =>
  folder ? formNames.editedFolder(folder.id) : formNames.newFolder();

/** Returns the input of all folders' dialogs, that of a new folder last. */
export const listKeptEdits = (typed: Record<string, TypedInput>): FolderEdits[] =>
  Object.keys(typed)
    .filter((name) => name === formNames.newFolder().name || name.startsWith(formNames.editedFolder('').name))
    .toSorted()
    .map((name) => typed[name]?.values as FolderEdits);

const getChanges = ({ folder, values }: FolderEdits): Partial<Texts> =>
  Object.fromEntries(textNames.filter((name) => values[name] !== folder?.[name]).map((name) => [name, values[name]]));

const isThumbnailChanged = ({ folder, thumbnail }: FolderEdits) => (thumbnail ?? null) !== (folder?.thumbnail ?? null);

export const hasUnsavedEdits = (edits: FolderEdits, park: string): boolean => {
  const initialEdits = createEdits(park, edits.folder);
  return (
    textNames.some((name) => edits.values[name] !== initialEdits.values[name]) ||
    edits.thumbnail !== initialEdits.thumbnail
  );
};

export type FolderVariables = FolderEdits & {
  /** After a conflict, the other user's version, on which these edits are based instead of `folder`. */
  base?: Folder;
  /** The path of the new image, once it is uploaded. */
  path?: string | undefined;
};

/** Creates the folder, or saves its changes. Only a field that two users changed is a conflict. */
export async function sendFolder(variables: FolderVariables, key: string): Promise<unknown> {
  const { folder, values, thumbnail, base = folder } = variables;
  if (!base) {
    const file = thumbnail instanceof File ? { file: thumbnail, fileName: thumbnail.name } : {};
    return callApiWithRetry(api.createFolder, { body: values, ...file, key });
  }
  if (thumbnail instanceof File) {
    const { uploadImage } = await import('../../photos/uploadImage.ts');
    variables.path ??= (await uploadImage(thumbnail, newUuid())).filePath;
  }
  const { name, description, park, version } = base;
  const body = {
    ...{ name, description, park, ...getChanges(variables) },
    ...(isThumbnailChanged(variables) && {
      thumbnail: thumbnail instanceof File ? variables.path : (thumbnail ?? null),
    }),
    version,
  };
  try {
    return await sendChange(api.updateFolder, { params: { id: base.id }, body });
  } catch (error) {
    const newer = getNewerVersion<Folder>(error);
    if (!newer || listConflictingFields(variables, newer).length > 0) throw error;
    return sendFolder({ ...variables, base: newer }, key);
  }
}

/** Returns the fields that both users changed, to different values. */
export function listConflictingFields(edits: FolderVariables, theirs: Folder): Difference[] {
  const { folder, thumbnail, path } = edits;
  const texts = Object.entries(getChanges(edits) as Texts).flatMap(([key, mine]) => {
    const name = key as keyof Texts;
    return theirs[name] === folder?.[name] || theirs[name] === mine
      ? []
      : [{ label: labels[name], mine, theirs: theirs[name] }];
  });
  if (!isThumbnailChanged(edits) || theirs.thumbnail === folder?.thumbnail) return texts;
  const mine = imageUrl(thumbnail instanceof File ? path : thumbnail);
  return [...texts, { label: 'Thumbnail', isImage: true, mine, theirs: imageUrl(theirs.thumbnail) }];
}

const imageUrl = (path: string | null | undefined) => (path ? previewUrl(path) : '');
