import { expect, test } from 'vitest';
import type { Activity } from '#shared/activity.ts';
import { combineRepeats, describeEntry, listChanges } from './activityText.ts';

const describeAction = (action: string, thing: string, label = '') =>
  describeEntry({ seq: 1, at: '', actor: 'sian', action, thing, thing_id: null, label, changes: null });

test('an activity log entry reads as a sentence after the name of its actor', () => {
  expect(describeAction('deleted', 'report', 'ACC-2026-0001')).toBe('deleted report ACC-2026-0001');
  expect(describeAction('filed', 'report', 'ACC-2026-0001')).toBe('submitted report ACC-2026-0001');
  expect(describeAction('was refused', 'session', 'GET /api/get-reports')).toBe(
    'was denied access: GET /api/get-reports',
  );
  expect(describeAction('was slowed down', 'session', '/api/upload/image')).toBe(
    'hit the rate limit: /api/upload/image',
  );
  expect(describeAction('listed', 'report')).toBe('listed the reports');
  expect(describeAction('submitted', 'submission', 'CHK-2026-0001')).toBe('submitted checklist CHK-2026-0001');
  expect(describeAction('opened as PDF', 'audit', 'Gates')).toBe('opened audit Gates as PDF');
  expect(describeAction('created as completed', 'audit', 'Gates')).toBe('created audit Gates, already completed');
  expect(describeAction('removed for good', 'folder', 'Play areas')).toBe(
    'permanently deleted audit folder Play areas',
  );
  expect(describeAction('changed the password', 'user', 'sian')).toBe('changed the password');
  expect(describeAction('signed in', 'session', 'sian')).toBe('signed in');
});

const entry = (changes: Partial<Activity>): Activity => ({
  seq: 1,
  at: '',
  actor: 'huw',
  action: 'opened',
  thing: 'report',
  thing_id: 'r1',
  label: 'ACC-2026-0001',
  changes: null,
  ...changes,
});
const formatEntries = (entries: Activity[]) =>
  combineRepeats(entries).map(({ entry, count }) => `${entry.actor} ${describeEntry(entry, count)}`);

test('equal entries in a row, by one user about one record, are combined into one with a count', () => {
  expect(
    formatEntries([
      entry({ seq: 9 }),
      entry({ seq: 8 }),
      entry({ seq: 7, actor: 'carys' }),
      entry({ seq: 6, thing_id: 'r2', label: 'ACC-2026-0002' }),
      entry({ seq: 5 }),
      entry({ seq: 4, action: 'changed', changes: { age: { from: 1, to: 2 } } }),
      entry({ seq: 3, action: 'changed', changes: { age: { from: 2, to: 3 } } }),
    ]),
  ).toEqual([
    'huw opened report ACC-2026-0001 2 times',
    'carys opened report ACC-2026-0001',
    'huw opened report ACC-2026-0002',
    'huw opened report ACC-2026-0001',
    'huw changed report ACC-2026-0001',
    'huw changed report ACC-2026-0001',
  ]);
});

test('an opened photo or signature is described without its file name', () => {
  const photo = (label: string) => entry({ action: 'opened a photo', label });
  expect(formatEntries([photo('signature-1770000000000.png'), photo('affected-signature-1770000000001.png')])).toEqual([
    'huw opened a signature of a report 2 times',
  ]);
  expect(formatEntries([photo('pool.jpg'), photo('gate.jpg')])).toEqual(['huw opened a photo of a report 2 times']);
});

test('changed dates are listed as day/month/year, photos by file name, and sections as stored', () => {
  const changes = {
    date: { from: '2026-07-25', to: null },
    completed_at: { from: null, to: '2026-07-25T12:00:00.000Z' },
    is_urgent: { from: false, to: true },
    media_files: { from: [], to: [{ path: '/uploads/2026/07/a.jpg', name: 'tag.jpg' }] },
    thumbnail: { from: null, to: '/uploads/2026/07/b.webp' },
    'sections added': ['“Depth” (text)', '“Gate” (na)'],
    reason: '11a74b650e2181041e62679b896f71298e11a74b650e2181041e62679b896f71',
  };
  expect(listChanges(entry({ changes })).map(({ field, text }) => `${field}: ${text}`)).toEqual([
    'date: 25/07/2026 → empty',
    'completed_at: empty → 25/07/2026, 13:00',
    'urgent: no → yes',
    'photos: none → tag.jpg',
    'thumbnail: empty → an image',
    'sections added: “Depth” (text), “Gate” (na)',
    'reason: kept outside the activity log',
  ]);
});
