import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NewReport } from '#shared/reports/reports.ts';
import { demoEvents } from './season.ts';

test.each(demoEvents)('the demo event at "$location" is a valid report with photos', (event) => {
  const { error } = NewReport.safeParse(event);
  const names = error?.issues.map((issue) => String(issue.path[0])) ?? [];
  expect(names.filter((name) => name in event)).toEqual([]);
  expect(event.photos.length).toBeGreaterThan(0);
  for (const name of event.photos)
    expect(existsSync(new URL(`../../../fixtures/demo/${name}.jpg`, import.meta.url)), name).toBe(true);
});
