import { expect, test } from 'vitest';
import { joinSentences } from './sentences.ts';

test('joined texts become sentences that end with full stops', () => {
  expect(joinSentences('This image could not be read', 'Everything you entered is still here.')).toBe(
    'This image could not be read. Everything you entered is still here.',
  );
  expect(joinSentences('Try again in a moment.', 'Is it there?', 'Check “Date”')).toBe(
    'Try again in a moment. Is it there? Check “Date”.',
  );
  expect(joinSentences('', 'Only this')).toBe('Only this.');
});
