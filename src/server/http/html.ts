/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
