// Finds all fields of a body or query in its schema, so that new fields are tested automatically.
import * as z from 'zod/mini';

type Node = { properties?: Record<string, Node>; items?: Node; anyOf?: Node[]; oneOf?: Node[] };

/** Returns the paths of all values, such as `sections.0.title`; one list element stands for all. */
export function listFieldPaths(schema: z.ZodMiniType): string[] {
  return [...new Set(listPaths(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node, ''))];
}

function listPaths(node: Node, path: string): string[] {
  const joinPath = (name: string) => (path ? `${path}.${name}` : name);
  const options = node.anyOf ?? node.oneOf;
  if (options) return options.flatMap((option) => listPaths(option, path));
  if (node.items) return listPaths(node.items, joinPath('0'));
  if (node.properties) return Object.entries(node.properties).flatMap(([name, at]) => listPaths(at, joinPath(name)));
  return [path];
}

/** Returns the value at a path, or undefined. */
export const getValueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** Returns a copy with another value at a path. */
export function withValue<T>(value: T, path: string, put: unknown): T {
  const copy = structuredClone(value);
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const [index, name] of names.entries()) {
    at[name] ??= /^\d+$/.test(names[index + 1] ?? last) ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = put;
  return copy;
}
