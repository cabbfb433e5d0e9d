import { describe, expect, test } from 'vitest';
import { formatSignedBy, formatSignedFor, SignedBy } from './signed-by.ts';

const messages = (value: unknown) =>
  Object.fromEntries(
    (SignedBy.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );

describe('a signature for someone else', () => {
  test("a signature for someone else needs the signer's name and capacity", () => {
    expect(SignedBy.parse({ name: ' Mary  Barker ', capacity: 'Parent or guardian' })).toEqual({
      name: 'Mary  Barker',
      capacity: 'Parent or guardian',
      reason: '',
    });
    expect(messages({ name: ' ', capacity: '' })).toEqual({
      name: 'Enter the name of the person signing',
      capacity: 'Choose why someone else is signing',
    });
  });

  test('a signature for someone who could not sign needs the reason', () => {
    expect(messages({ name: 'Tom', capacity: 'Could not sign', reason: ' ' })).toEqual({
      reason: 'Enter why they could not sign',
    });
    expect(SignedBy.parse({ name: 'Tom', capacity: 'Could not sign', reason: 'her wrist is broken' }).reason).toBe(
      'her wrist is broken',
    );
  });

  test('a signature for someone else keeps the reason only if that person could not sign', () => {
    expect(SignedBy.parse({ name: 'Tom', capacity: 'Carer', reason: 'left over' }).reason).toBe('');
  });

  test("a signature for someone else is described as the signer's, never as the other person's", () => {
    const signerMother = { name: 'Mary $& Barker', capacity: 'Parent or guardian', reason: '' };
    expect(formatSignedBy(signerMother, 'Ellie Barker')).toBe(
      'Signed by Mary $& Barker for Ellie Barker, as parent or guardian',
    );
    const witness = { name: 'Tom', capacity: 'Could not sign', reason: 'her wrist is broken' };
    expect(formatSignedFor(witness, 'Ann')).toBe('Signed for Ann, who could not sign because her wrist is broken');
  });
});
