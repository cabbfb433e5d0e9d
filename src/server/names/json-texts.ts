// Reads and replaces the texts in a JSON column.

/** Members that describe a file; users do not type their values. */
const fileKeys = ['path', 'type', 'storageType'];

/**
 * Passes each text in the JSON to `replace`, with the path of its members after `field`, and returns
 * the JSON with the new texts. Skips the members in `except`. Damaged JSON is treated as one text.
 */
export function replaceJsonTexts(
  json: string,
  field: string,
  replace: (field: string, text: string) => string,
  except: string[] = [],
): string {
  const visit = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return replace(path, value);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, `${path} ${index}`));
    if (!value || typeof value !== 'object') return value;
    const keptKeys = 'path' in value ? [...fileKeys, ...except] : except;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, keptKeys.includes(key) ? item : visit(item, `${path} ${key}`)]),
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return replace(field, json);
  }
  return JSON.stringify(visit(value, field));
}

type JsonText = {
  /** The name of the top-level member that contains it. */
  member: string;
  /** The name of the innermost one. */
  name: string;
  text: string;
};

export function listJsonTexts(json: string): JsonText[] {
  const texts: JsonText[] = [];
  replaceJsonTexts(json, '', (path, text) => {
    const members = path.split(' ').slice(1);
    texts.push({ member: members[0] ?? '', name: members.at(-1) ?? '', text });
    return text;
  });
  return texts;
}
