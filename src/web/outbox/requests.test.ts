import { expect, test } from 'vitest';
import { auditFieldNames } from '#shared/audit-fields.ts';
import { type Audit, AuditChange } from '#shared/audits.ts';
import type { OutboxItem } from './items.ts';
import { isOwnCompletion } from './requests.ts';

test('a completed audit has the values of the completion that was sent, whatever else that sent', () => {
  // The time is added when it is sent.
  const { data, capturedAt: _, ...fields } = AuditChange.shape;
  const toValues = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, `my ${name}`]));
  const body = { ...toValues(fields), data: toValues(data.def.innerType.shape) };
  const item = { username: 'sian', body, files: [] } as unknown as OutboxItem;
  const stored = toValues(Object.fromEntries(auditFieldNames.map((name) => [name, ''])));
  const toAudit = (changes: object = {}) => {
    const { title, date, time, ...texts } = { ...stored, ...changes };
    return { title, date, time, data: { ...texts, completed_by: 'sian', media_files: [] } } as unknown as Audit;
  };
  expect(isOwnCompletion(item, toAudit())).toBe(true);
  expect(isOwnCompletion({ ...item, username: 'huw' }, toAudit())).toBe(false);
  for (const name of auditFieldNames) expect(isOwnCompletion(item, toAudit({ [name]: 'theirs' }))).toBe(false);
});
