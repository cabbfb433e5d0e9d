// The input of the form of a section: its content, with photos that are not uploaded yet.
import type { api } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import { listPhotos, mapPhotos, type SectionContents, type SectionName } from '#shared/investigations.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import type { useForm } from '../forms/useForm.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';

export type SectionPhoto = StoredMediaFile | PreparedPhoto;
export type SectionInputs = SectionContents<SectionPhoto>;
export type SectionValues<Name extends SectionName> = SectionInputs[Name] & { version: number };
export type SectionForm<Name extends SectionName> = ReturnType<typeof useForm<SectionValues<Name>>>;

type SentSection = EndpointInput<typeof api.saveInvestigationSection>['body'];

/** Creates the id of a cause: a random number, so that no other cause has it. */
export const newCauseId = () => ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1) + 1;

/** The form under whose name photos of a section, or of its item at this index, are prepared. */
export const getPhotoForm = (investigationId: string, section: SectionName, index = 0) =>
  `${section} of ${investigationId} ${index}`;

export const isStored = (photo: SectionPhoto): photo is StoredMediaFile => 'path' in photo;
export const isAdded = (photo: SectionPhoto): photo is PreparedPhoto => !isStored(photo);

/** Uploads the added photos; returns the body to send, without empty causes and files kept elsewhere. */
export async function toSent(section: SectionName, { version, ...input }: { version: number }): Promise<SentSection> {
  const paths = await uploadForSave(listPhotos<SectionPhoto>(input).filter(isAdded));
  const content = mapPhotos<SectionPhoto>(input, (photo) => ({
    path: isStored(photo) ? photo.path : (paths[photo.id] ?? ''),
    name: photo.name,
  }));
  const { files, list } = content as Partial<SectionContents['facts'] & SectionContents['causes']>;
  return {
    section,
    version,
    content: {
      ...content,
      ...(files && { files: files.filter(({ what, where }) => what || where) }),
      ...(section === 'causes' && { list: list?.filter(({ text }) => text.trim()) }),
    },
  } as SentSection;
}
