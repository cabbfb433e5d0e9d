/** Returns a file name that any operating system accepts. */
export const toFileName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 80);
