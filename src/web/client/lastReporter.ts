// The name last entered as the person completing the form, which is often the same again. The
// server stores it per account; the device only until sign-out.

const prefix = 'reporter-';

export function findLastReporter(userId: string): string {
  try {
    return localStorage.getItem(prefix + userId) ?? '';
  } catch {
    return '';
  }
}

export function saveReporter(userId: string, name: string) {
  try {
    localStorage.setItem(prefix + userId, name);
  } catch {} // without storage, only the server stores the name
}

/** Call at sign-out, so that the next user finds no names here. */
export function deleteReporters() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {}
}
