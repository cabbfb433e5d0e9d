/**
 * Returns a Content-Disposition header (RFC 6266): the browser shows the file (`inline`) or saves it
 * (`attachment`) under this name. Old programs read the first name, which has no accents.
 */
export function createContentDisposition(fileName: string, disposition: 'inline' | 'attachment' = 'inline'): string {
  const asciiName = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encodedName = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}
