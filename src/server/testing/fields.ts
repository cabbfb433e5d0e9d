// Where in a body or a query something can be written, read from its schema: a new field is found by itself.
import * as z from 'zod/mini';

type Node = { properties?: Record<string, Node>; items?: Node; anyOf?: Node[]; oneOf?: Node[] };

/** The places of all values, such as `sections.0.title`; one place in a list stands for all of them. */
export function fieldsOf(schema: z.ZodMiniType): string[] {
  return [...new Set(placesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node, ''))];
}

function placesIn(node: Node, place: string): string[] {
  const within = (name: string) => (place ? `${place}.${name}` : name);
  const options = node.anyOf ?? node.oneOf;
  if (options) return options.flatMap((option) => placesIn(option, place));
  if (node.items) return placesIn(node.items, within('0'));
  if (node.properties) return Object.entries(node.properties).flatMap(([name, at]) => placesIn(at, within(name)));
  return [place];
}

/** What stands at a place, or nothing. */
export const valueAt = (value: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** A copy with another value at a place. */
export function withValue<T>(value: T, place: string, put: unknown): T {
  const copy = structuredClone(value);
  const names = place.split('.');
  const last = names.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = put;
  return copy;
}
