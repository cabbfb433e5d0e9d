import { expect, test } from 'vitest';
import { ApiError } from '#shared/client.ts';
import type { OutboxItem, Receipt } from './items.ts';
import { getFormState, isFrozen, isSubmitting } from './outboxFormState.ts';
import type { SubmissionState } from './useSubmission.ts';

const item = { id: '1' } as OutboxItem;
const error = new ApiError(500, '') as never;
const submissions = {
  none: { phase: 'none' },
  sending: { phase: 'sending', item, progress: { sent: 0, total: 0 } },
  saved: { phase: 'saved', item },
  stored: { phase: 'retrying', item, error, isStored: true },
  unsent: { phase: 'retrying', item, error, isStored: false },
  signIn: { phase: 'signIn', item },
  refused: { phase: 'refused', item, error },
  sent: { phase: 'sent', receipt: { id: '1' } as Receipt },
} satisfies Record<string, SubmissionState>;
type Name = keyof typeof submissions;

const get = (name: Name, facts: { isFromThisForm?: boolean; isStoring?: boolean; isWaitingForPhotos?: boolean } = {}) =>
  getFormState({
    ...{ submission: submissions[name], isFromThisForm: true, isStoring: false, isWaitingForPhotos: false },
    ...facts,
  });

test.each<[Name, object]>([
  ['none', { name: 'editing' }],
  ['sending', { name: 'sending' }],
  ['signIn', { name: 'sending' }],
  ['saved', { name: 'done' }],
  ['sent', { name: 'done' }],
  ['stored', { name: 'waiting' }],
  ['unsent', { name: 'editing', unsent: item }],
  ['refused', { name: 'refused', refused: item }],
])('a form whose submission is %s is %o', (name, state) => {
  expect(get(name)).toEqual(state);
});

test('a submission from before the form was opened leaves it free', () => {
  for (const name of Object.keys(submissions) as Name[])
    expect(get(name, { isFromThisForm: false })).toEqual({ name: 'editing' });
});

test('a form that waits for photos knows which item it corrects, or takes back', () => {
  expect(get('none', { isWaitingForPhotos: true })).toEqual({ name: 'preparing' });
  expect(get('refused', { isWaitingForPhotos: true })).toEqual({ name: 'preparing', refused: item });
  expect(get('unsent', { isWaitingForPhotos: true })).toEqual({ name: 'preparing', unsent: item });
});

test('a form is sending while the device stores its values, until they wait or have arrived', () => {
  const states = (['none', 'refused', 'unsent', 'stored', 'saved', 'sent'] as const).map(
    (name) => get(name, { isStoring: true }).name,
  );
  expect(states).toEqual(['sending', 'sending', 'sending', 'sending', 'done', 'done']);
});

test('values are frozen while the device sends them, and the button also shows that photos are awaited', () => {
  const names = Object.keys(submissions) as Name[];
  expect(names.filter((name) => isFrozen(get(name)))).toEqual(['sending', 'stored', 'signIn']);
  expect(names.filter((name) => isSubmitting(get(name)))).toEqual(['sending', 'signIn']);
  expect(isSubmitting(get('none', { isWaitingForPhotos: true }))).toBe(true);
});
