import { expect, test } from 'vitest';
import type { Receipt } from './items.ts';
import { describeReceived } from './receiptText.ts';

test('a receipt says what arrived and who was told', () => {
  const receipt: Receipt = {
    ...{ id: '1', userId: '2', kind: 'hazard', form: 'report-hazard', park: 'Lido Beach', isOnForm: true },
    ...{ submittedAt: 0, sentAt: 0, photos: 0, signatures: 0, rejected: [] },
  };
  const describe = (changes: Partial<Receipt>) => describeReceived({ ...receipt, ...changes });
  expect(describe({})).toBe('Received.');
  expect(describe({ photos: 2, told: [] })).toBe('Received with 2 photos.');
  expect(describe({ told: ['assignee'] })).toBe('Received. The assignee was told.');
  expect(describe({ told: ['reviewers'] })).toBe('Received. The reviewers of Lido Beach were told.');
  expect(describe({ told: ['assignee', 'reviewers'] })).toBe(
    'Received. The assignee and the reviewers of Lido Beach were told.',
  );
  expect(describe({ kind: 'incident', number: 'INC-2026-0001', photos: 1 })).toBe('Received with 1 photo.');
  expect(describe({ kind: 'accident' })).toBe('This report was already received.');
});
