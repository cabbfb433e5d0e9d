import { useEffect, useState } from 'react';
import { cutOffMarkBytes, hasCutOffMark } from '#shared/cut-off.ts';

/** Whether a prepared photo says that it was made from a file that was cut off. */
export const isCutOff = async (photo: Blob): Promise<boolean> =>
  hasCutOffMark(new Uint8Array(await photo.slice(0, cutOffMarkBytes).arrayBuffer()));

/** Whether a prepared photo on this device was cut off. False while it is read. */
export function useIsCutOff(photo: Blob | undefined): boolean {
  const [cutOffPhoto, setCutOffPhoto] = useState<Blob>();
  useEffect(() => {
    if (photo)
      void isCutOff(photo).then(
        (isIt) => isIt && setCutOffPhoto(photo),
        () => undefined,
      );
  }, [photo]);
  return photo !== undefined && photo === cutOffPhoto;
}
