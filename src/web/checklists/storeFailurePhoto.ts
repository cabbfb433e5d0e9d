import { createDraftFile } from '../drafts/draftStore.ts';
import { newUuid } from '../newUuid.ts';
import { limitStandstill, StandstillError } from '../photos/limitStandstill.ts';
import { preparePhoto } from '../photos/preparePhoto.ts';
import type { FailurePhoto } from './failures.ts';

/** The browser's database may never answer; Submit waits for photos until then. */
const maxStoringMs = 20_000;

/** Prepares a photo of a failing answer and stores it on the device. Rejects with a message for the user. */
export async function storeFailurePhoto(file: File): Promise<FailurePhoto> {
  const { file: prepared, name } = await preparePhoto(file, 'audit');
  const id = newUuid();
  const draftFile = createDraftFile(id);
  const saving = draftFile.save(new File([prepared], name, { type: prepared.type }));
  await limitStandstill(maxStoringMs, () => saving).catch((error: unknown) => {
    // Nothing refers to a photo that is stored too late.
    void saving.then(draftFile.delete, () => undefined);
    throw new Error(
      error instanceof StandstillError
        ? 'The photo could not be stored on this device. Add it again.'
        : 'There is no room on this device for the photo.',
    );
  });
  return { id, name };
}
