// The name that an account last gave as the person completing the form: mostly the same one again. The server knows it by account;
// on the device it is kept only until someone signs out.

const prefix = 'reporter-';

export function findLastReporter(userId: string): string {
  try {
    return localStorage.getItem(prefix + userId) ?? '';
  } catch {
    return '';
  }
}

export function rememberReporter(userId: string, name: string) {
  try {
    localStorage.setItem(prefix + userId, name);
  } catch {} // the server knows it
}

/** For a sign-out: the next person finds no names here. */
export function forgetReporters() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {}
}
