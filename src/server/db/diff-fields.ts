/** Compares two states for the activity log, or these fields of them: `{ field: { from, to } }`. */
export function diffFields<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[] = Object.keys(after) as never[],
): Record<string, { from: unknown; to: unknown }> {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
