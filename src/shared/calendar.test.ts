import { expect, test } from 'vitest';
import { addYears } from './calendar.ts';

test('a year from 29 February ends on 1 March', () => expect(addYears('2024-02-29', 1)).toBe('2025-03-01'));
