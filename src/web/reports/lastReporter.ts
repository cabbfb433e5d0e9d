// The name that an account last gave as the person completing the form: mostly the same one again.

const getKey = (userId: string) => `reporter-${userId}`;

export function findLastReporter(userId: string): string {
  try {
    return localStorage.getItem(getKey(userId)) ?? '';
  } catch {
    return '';
  }
}

export function rememberReporter(userId: string, name: string) {
  try {
    localStorage.setItem(getKey(userId), name);
  } catch {} // it is typed again next time
}
