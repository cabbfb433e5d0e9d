/** Text as it may stand in a page, between tags and in an attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
