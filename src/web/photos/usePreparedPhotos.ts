import { useEffect, useRef, useState } from 'react';
import { limits } from '#shared/choices.ts';
import { isPhoto, isUnreadable, type PreparedPhoto, preparePhoto } from './preparePhoto.ts';

type Settings = {
  photos: PreparedPhoto[];
  onChange: (photos: PreparedPhoto[]) => void;
  onBusyChange?: ((isBusy: boolean) => void) | undefined;
  use?: 'report' | 'audit' | undefined;
  max?: number | undefined;
};

/**
 * Prepares chosen files one by one and reports errors. Each photo joins the list when ready; other
 * files are dropped, for audits and where no photo was chosen with a message.
 */
export function usePreparedPhotos({ photos, onChange, onBusyChange, use, max = limits.photos }: Settings) {
  const [pending, setPending] = useState(0);
  const [problems, setProblems] = useState<string[]>([]);
  const latestPhotos = useRef(photos);
  const waiting = useRef(0);

  // Photos become ready long after the render that started them, and must be added to the current
  // list.
  useEffect(() => {
    latestPhotos.current = photos;
  }, [photos]);

  function change(next: PreparedPhoto[]) {
    latestPhotos.current = next;
    onChange(next);
  }

  function changePending(by: number) {
    const was = waiting.current;
    waiting.current += by;
    setPending(waiting.current);
    if (was === 0 || waiting.current === 0) onBusyChange?.(waiting.current > 0);
  }

  async function add(files: File[]) {
    const images = files.filter(isPhoto);
    const photosLeft = Math.max(0, max - latestPhotos.current.length - waiting.current);
    const acceptedImages = images.slice(0, photosLeft);
    const newProblems: string[] = [];
    // Reports ignore other files without a message, unless no photo was chosen.
    if (images.length < files.length && (use === 'audit' || images.length === 0))
      newProblems.push('Only image files are supported');
    if (acceptedImages.length < images.length)
      newProblems.push(createLimitMessage(max, images.length - acceptedImages.length));
    setProblems(newProblems);
    if (acceptedImages.length === 0) return;

    changePending(acceptedImages.length);
    for (const file of acceptedImages) {
      await preparePhoto(file, use).then(
        (photo) => change([...latestPhotos.current, photo]),
        (error: Error) => {
          const message = isUnreadable(error) ? error.message : `${file.name} could not be prepared.`;
          setProblems((known) => (known.includes(message) ? known : [...known, message]));
        },
      );
      changePending(-1);
    }
  }

  function remove(photo: PreparedPhoto) {
    setProblems([]);
    change(latestPhotos.current.filter(({ id }) => id !== photo.id));
  }

  return { add, remove, pending, problems };
}

function createLimitMessage(max: number, rejectedCount: number): string {
  return `At most ${max} photos can be added. ${rejectedCount === 1 ? 'One was' : `${rejectedCount} were`} left out.`;
}
