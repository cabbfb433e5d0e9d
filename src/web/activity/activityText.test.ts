import { expect, test } from 'vitest';
import { describeEntry } from './activityText.ts';

const line = (action: string, thing: string, label = '') =>
  describeEntry({ seq: 1, at: '', actor: 'sian', action, thing, thing_id: null, label, changes: null });

test('every deed reads as a sentence after the name of who did it', () => {
  expect(line('deleted', 'report', 'ACC-2026-0001')).toBe('deleted report ACC-2026-0001');
  expect(line('listed', 'report')).toBe('listed the reports');
  expect(line('submitted', 'submission', 'CHK-2026-0001')).toBe('submitted checklist CHK-2026-0001');
  expect(line('opened as PDF', 'audit', 'Gates')).toBe('opened audit Gates as PDF');
  expect(line('created as completed', 'audit', 'Gates')).toBe('created audit Gates, already completed');
  expect(line('removed for good', 'folder', 'Play areas')).toBe('removed audit folder Play areas for good');
  expect(line('changed the password', 'user', 'sian')).toBe('changed the password');
  expect(line('signed in', 'session', 'sian')).toBe('signed in');
});
