import { expect, test } from 'vitest';
import { describeEntry } from './activityText.ts';

const line = (action: string, thing: string, label = '') =>
  describeEntry({ seq: 1, at: '', actor: 'sian', action, thing, thing_id: null, label, changes: null });

test('every entry reads as a sentence after the name of its actor', () => {
  expect(line('deleted', 'report', 'ACC-2026-0001')).toBe('deleted report ACC-2026-0001');
  expect(line('filed', 'report', 'ACC-2026-0001')).toBe('submitted report ACC-2026-0001');
  expect(line('was refused', 'session', 'GET /api/get-reports')).toBe('was denied access: GET /api/get-reports');
  expect(line('was slowed down', 'session', '/api/upload/image')).toBe('hit the rate limit: /api/upload/image');
  expect(line('listed', 'report')).toBe('listed the reports');
  expect(line('submitted', 'submission', 'CHK-2026-0001')).toBe('submitted checklist CHK-2026-0001');
  expect(line('opened as PDF', 'audit', 'Gates')).toBe('opened audit Gates as PDF');
  expect(line('created as completed', 'audit', 'Gates')).toBe('created audit Gates, already completed');
  expect(line('removed for good', 'folder', 'Play areas')).toBe('permanently deleted audit folder Play areas');
  expect(line('changed the password', 'user', 'sian')).toBe('changed the password');
  expect(line('signed in', 'session', 'sian')).toBe('signed in');
});
