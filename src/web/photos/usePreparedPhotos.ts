import { useId } from 'react';
import { limits } from '#shared/choices.ts';
import { type PreparedPhoto, preparePhoto } from './preparePhoto.ts';
import { clearProblems, preparePhotos, usePreparation } from './preparing.ts';

type PreparedPhotosOptions = {
  form?: string | undefined;
  value: PreparedPhoto[];
  onChange: (photos: PreparedPhoto[]) => void;
  use?: 'report' | 'audit' | undefined;
  max?: number | undefined;
};

/**
 * Prepares chosen files one by one and reports errors. Each photo joins the list when it is ready. Other
 * files are left out, with a message only for audits or if no photo was chosen.
 */
export function usePreparedPhotos({ form, value: photos, onChange, use, max = limits.photos }: PreparedPhotosOptions) {
  const id = useId();
  const name = form ?? id;
  const preparation = usePreparation<PreparedPhoto>(name, (prepared) => onChange([...photos, ...prepared]));

  function add(files: File[]) {
    void preparePhotos(name, files, {
      room: max - photos.length,
      describeLimit: (count) => createLimitMessage(max, count),
      isStrict: use === 'audit',
      prepare: (file) => preparePhoto(file, use),
    });
  }

  function remove(photo: PreparedPhoto) {
    clearProblems(name);
    onChange(photos.filter(({ id }) => id !== photo.id));
  }

  return { add, remove, ...preparation };
}

/** Says that a form takes at most this number of photos. */
export const createLimitMessage = (max: number, rejectedCount: number): string =>
  `At most ${max} photos can be added. ${rejectedCount === 1 ? 'One was' : `${rejectedCount} were`} left out.`;
