import { useId } from 'react';
import { limits } from '#shared/choices.ts';
import { isPhoto, type PreparedPhoto, preparePhoto } from './preparePhoto.ts';
import { countUnfinished, prepareFiles, setProblems, usePreparation } from './preparing.ts';

type PreparedPhotosOptions = {
  form?: string | undefined;
  value: PreparedPhoto[];
  onChange: (photos: PreparedPhoto[]) => void;
  use?: 'report' | 'audit' | undefined;
  max?: number | undefined;
};

/**
 * Prepares chosen files one by one and reports errors. Each photo joins the list when it is ready. Other
 * files are ignored, with a message only for audits or if no photo was chosen.
 */
export function usePreparedPhotos({ form, value: photos, onChange, use, max = limits.photos }: PreparedPhotosOptions) {
  const id = useId();
  const name = form ?? id;
  const { pendingCount, problems } = usePreparation<PreparedPhoto>(name, (prepared) =>
    onChange([...photos, ...prepared]),
  );

  function add(files: File[]) {
    const images = files.filter(isPhoto);
    const photosLeft = Math.max(0, max - photos.length - countUnfinished(name));
    const acceptedImages = images.slice(0, photosLeft);
    const newProblems: string[] = [];
    if (images.length < files.length && (use === 'audit' || images.length === 0))
      newProblems.push('Only image files are supported');
    if (acceptedImages.length < images.length)
      newProblems.push(createLimitMessage(max, images.length - acceptedImages.length));
    setProblems(name, newProblems);
    void prepareFiles(name, acceptedImages, (file) => preparePhoto(file, use));
  }

  function remove(photo: PreparedPhoto) {
    setProblems(name, []);
    onChange(photos.filter(({ id }) => id !== photo.id));
  }

  return { add, remove, pendingCount, problems };
}

function createLimitMessage(max: number, rejectedCount: number): string {
  return `At most ${max} photos can be added. ${rejectedCount === 1 ? 'One was' : `${rejectedCount} were`} left out.`;
}
