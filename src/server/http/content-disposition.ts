/** A file shown in the browser and saved under this name. Old programs read the first name, without accents (RFC 6266). */
export function createContentDisposition(fileName: string): string {
  const asciiName = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encodedName = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}
