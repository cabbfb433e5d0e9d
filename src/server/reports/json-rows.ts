// Builds JSON in the database in the shape of a schema: the schema alone decides which members there are,
// and their order.
import * as z from 'zod/mini';
import type { Engine } from '../db/connect.ts';

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
};

/**
 * The value of a member: SQL that returns JSON text, or SQL for each member of an object. The
 * object is null if its first member is null.
 */
type Source = string | Record<string, string>;

/**
 * How each engine builds JSON. `array` maps the items of a list in JSON, each of them `value`. `jsonMember` is JSON, too,
 * so that a boolean stays one.
 */
const dialects = {
  sqlite: {
    object: 'json_object',
    array: (item: string, list: string) => `json((select json_group_array(${item}) from json_each(${list})))`,
    member: (object: string, name: string) => `json_extract(${object}, '$.${name}')`,
    jsonMember: (object: string, name: string) => `(${object} -> '$.${name}')`,
    withoutNulls: (object: string) => `json_patch('{}', ${object})`,
  },
  postgres: {
    object: 'json_build_object',
    array: (item: string, list: string) =>
      `(select coalesce(json_agg(${item}), '[]') from json_array_elements(${list}::json) as value)`,
    member: (object: string, name: string) => `${object}::json -> '${name}'`,
    jsonMember: (object: string, name: string) => `${object}::json -> '${name}'`,
    withoutNulls: (object: string) => `json_strip_nulls(${object})`,
  },
};

/**
 * Returns SQL that builds the JSON text of a row. Each member of the schema is the column of that
 * name, unless `sources` has SQL for it. Values in JSON columns are also reduced to the members of
 * the schema.
 */
export function buildRowJson(engine: Engine, schema: z.ZodMiniType, sources: Record<string, Source>): string {
  const { properties = {} } = z.toJSONSchema(schema, { target: 'draft-7' }) as JsonSchema;
  const members = Object.entries(properties).map(
    ([name, member]) => `'${name}', ${createJsonSql(engine, member, sources[name] ?? `"${name}"`, name)}`,
  );
  return `${dialects[engine].object}(${members.join(', ')})`;
}

function createJsonSql(engine: Engine, schema: JsonSchema, from: Source, name: string): string {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const first = typeof from === 'string' ? from : Object.values(from)[0];
  if (choices.length === 1 && choices[0])
    return isScalar(choices[0])
      ? String(first)
      : `case when ${first} is null then null else ${createJsonSql(engine, choices[0], from, name)} end`;
  if (schema.type === 'object') return createObjectSql(engine, schema, from, name);
  if (typeof from !== 'string') throw new Error(`The member ${name} is not an object.`);
  if (schema.type === 'array' && schema.items)
    return dialects[engine].array(createJsonSql(engine, schema.items, 'value', name), from);
  if (isScalar(schema)) return from;
  throw new Error(`The member ${name} cannot be made by SQL.`);
}

/**
 * Returns SQL that builds an object. It leaves out optional members that the object lacks. Throws for objects with both
 * optional and nullable members, and for booleans that are not optional.
 */
function createObjectSql(
  engine: Engine,
  { properties = {}, required = [] }: JsonSchema,
  from: Source,
  name: string,
): string {
  const dialect = dialects[engine];
  const optionalNames = Object.keys(properties).filter((member) => !required.includes(member));
  const isAnyOptional = optionalNames.length > 0;
  const members = Object.entries(properties).map(([member, schema]) => {
    if (!required.includes(member) && typeof from === 'string')
      return `'${member}', ${dialect.jsonMember(from, member)}`;
    if (!required.includes(member) || !isScalar(schema) || (isAnyOptional && isNullable(schema)))
      throw new Error(`${name}.${member} cannot be made by SQL.`);
    return `'${member}', ${typeof from === 'string' ? dialect.member(from, member) : from[member]}`;
  });
  const object = `${dialect.object}(${members.join(', ')})`;
  if (!isAnyOptional || typeof from !== 'string') return object;
  // Most objects have no optional members, and leaving out nulls takes longer than the rest.
  const hasNone = optionalNames.map((member) => `${dialect.jsonMember(from, member)} is null`).join(' and ');
  const requiredMembers = members.filter((_, at) => required.includes(Object.keys(properties)[at] ?? ''));
  return `case when ${hasNone} then ${dialect.object}(${requiredMembers.join(', ')}) else ${dialect.withoutNulls(object)} end`;
}

const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
  [type].flat().includes('null') || (anyOf ?? []).some(isNullable);

const scalarTypes = ['string', 'number', 'integer', 'null'];

const isScalar = ({ type = [], anyOf, ...schema }: JsonSchema): boolean => {
  if (anyOf) return anyOf.every(isScalar);
  const types = [type].flat();
  return types.length > 0 ? types.every((one) => scalarTypes.includes(one)) : 'enum' in schema || 'const' in schema;
};
