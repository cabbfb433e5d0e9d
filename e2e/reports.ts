// The Reports screen, and reports for it.
import type { Locator, Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';

/** The section of one kind of reports in List View. */
export const section = (page: Page, kind: 'Accident' | 'Incident') =>
  page.getByRole('region', { name: `${kind} Reports` });

/** The button that opens the reports of a month. */
export const month = (within: Locator, name: string) => within.getByRole('button', { name: new RegExp(`^${name} `) });

export const submitReport = async (client: TestClient, changes: Record<string, unknown> = {}) =>
  client(api.submitAccident, { body: await newReport(client, changes) });
