// Messages for invalid input where a schema has none of its own; mostly for API clients.
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

/**
 * Returns a sentence that names the field and what it accepts. Called by Zod if the schema has no
 * message.
 */
export function getValidationMessage(issue: Issue): string {
  const path = (issue.path ?? []).join('.');
  if (path === '') return notAnObjectMessage;
  // Do not repeat a field name chosen by the sender.
  const fieldLabel = /^[\w.]{1,60}$/.test(path) ? `The field "${path}"` : 'A field';
  if (issue.input === undefined && issue.code === 'invalid_type') return `${fieldLabel} is missing`;
  return `${fieldLabel} ${describeRequirement(issue)}`;
}

/** Describes what the value must be, to follow the field's name. */
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
      return 'does not have the required format';
  }
}
