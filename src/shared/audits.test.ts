import { expect, test } from 'vitest';
import { type AuditOrder, auditOrders, getCompletedBy, isOverdue, sortAudits } from './audits.ts';

const audit = (id: string, changes = {}) => ({
  id,
  created_at: `2026-03-0${id}T09:00:00.000Z`,
  date: null as string | null,
  time: null as string | null,
  is_urgent: false,
  completed: false,
  ...changes,
});

const audits = [
  audit('1', { date: '2026-05-01', time: '10:00', completed: true }),
  audit('2'),
  audit('3', { date: '2026-05-01', time: '09:00', is_urgent: true }),
  audit('4', { date: '2026-04-01', completed: true, is_urgent: true }),
  audit('5', { date: '' }),
  audit('6', { date: '2027-01-01' }),
];

const orders: [AuditOrder, string][] = [
  ['created-desc', '654321'],
  ['created-asc', '123456'],
  ['due-asc', '431652'],
  ['due-desc', '613452'],
  ['urgent', '436521'],
  ['pending', '653241'],
];

test.each(orders)(
  'the sort order %s lists the audits as %s, with missing due dates last and ties newest first',
  (order, ids) => {
    expect(
      sortAudits(audits, order)
        .map((audit) => audit.id)
        .join(''),
    ).toBe(ids);
  },
);

test('the sort orders of audits start with Newest First as the default', () => {
  expect(auditOrders.map(({ value }) => value)).toEqual(orders.map(([value]) => value));
  expect(auditOrders[0]).toEqual({ value: 'created-desc', label: 'Newest First' });
});

test('an incomplete audit dated before today is overdue', () => {
  const day = '2026-03-15';
  expect(isOverdue({ completed: false, date: '2026-03-14' }, day)).toBe(true);
  expect(isOverdue({ completed: false, date: '2026-03-15' }, day)).toBe(false);
  expect(isOverdue({ completed: true, date: '2026-03-14' }, day)).toBe(false);
  expect(isOverdue({ completed: false, date: null }, day)).toBe(false);
  expect(isOverdue({ completed: false, date: '' }, day)).toBe(false);
});

test('an old audit without a completer shows Unknown User', () => {
  expect(getCompletedBy({ completed_by: null })).toBe('Unknown User');
  expect(getCompletedBy({ completed_by: 'sian' })).toBe('sian');
});
