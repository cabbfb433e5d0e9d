// The name last entered as the person completing the form, which is often the same again. The
// server stores it per account; the device only until sign-out.
import { deviceItems } from '../browserItems.ts';

const prefix = 'reporter-';

export const findLastReporter = (userId: string): string => deviceItems.read(prefix + userId) ?? '';

export const saveReporter = (userId: string, name: string) => deviceItems.write(prefix + userId, name);

/** Call at sign-out, so that the next user finds no names here. */
export function deleteReporters() {
  for (const key of deviceItems.listKeys(prefix)) deviceItems.write(key, undefined);
}
