// What is said of a value that its schema has no words for: mostly to whoever writes a program that calls the server.
import type * as z from 'zod/mini';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

export const notAnObjectMessage = 'Send a JSON object, such as {"name": "value"}';

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const formatValue = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value));

/** A sentence that names the place and says what belongs there; for Zod, which asks where the schema says nothing itself. */
export function getValidationMessage(issue: Issue): string {
  const path = (issue.path ?? []).join('.');
  if (path === '') return notAnObjectMessage;
  // A name that the sender chose is not repeated.
  const place = /^[\w.]{1,60}$/.test(path) ? `The field "${path}"` : 'A field';
  if (issue.input === undefined && issue.code === 'invalid_type') return `${place} is missing`;
  return `${place} ${describeRequirement(issue)}`;
}

/** What the value must be, in words that follow its name. */
export function describeRequirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? 'of another kind'}`;
    case 'invalid_value':
      return `must be ${issue.values.map(formatValue).join(' or ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    default:
      return 'is not written as it must be';
  }
}
