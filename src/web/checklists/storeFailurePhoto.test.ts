import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeFailurePhoto } from './storeFailurePhoto.ts';

const draftFile = vi.hoisted(() => ({ save: vi.fn<() => Promise<void>>(), delete: vi.fn<() => Promise<void>>() }));
vi.mock('../drafts/draftStore.ts', () => ({ createDraftFile: () => draftFile }));
vi.mock('../photos/preparePhoto.ts', () => ({ preparePhoto: async (file: File) => ({ file, name: file.name }) }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const photo = new File(['x'], 'step.jpg', { type: 'image/jpeg' });

test('a photo of a failing answer is stored under a new id', async () => {
  draftFile.save.mockResolvedValue();
  expect(await storeFailurePhoto(photo)).toEqual({ id: expect.any(String), name: 'step.jpg' });
});

test('a photo of a failing answer is not stored if the device has no room, or its database does not answer for 20 seconds', async () => {
  draftFile.save.mockRejectedValue(new Error('full'));
  await expect(storeFailurePhoto(photo)).rejects.toThrow('There is no room on this device for the photo.');
  draftFile.save.mockReturnValue(new Promise(() => undefined));
  const stored = expect(storeFailurePhoto(photo)).rejects.toThrow('could not be stored on this device');
  await vi.advanceTimersByTimeAsync(21_000);
  await stored;
});

test('a photo of a failing answer that is stored only after the timeout is deleted again', async () => {
  let finishSaving = () => {};
  draftFile.save.mockReturnValue(new Promise((resolve) => (finishSaving = resolve)));
  const stored = expect(storeFailurePhoto(photo)).rejects.toThrow('could not be stored on this device');
  await vi.advanceTimersByTimeAsync(21_000);
  await stored;
  expect(draftFile.delete).not.toHaveBeenCalled();
  finishSaving();
  await vi.advanceTimersByTimeAsync(0);
  expect(draftFile.delete).toHaveBeenCalledOnce();
});
