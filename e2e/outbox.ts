// The outbox in the header.
import type { Page } from '@playwright/test';

/** The link in the header that shows waiting, sending and failed items. */
export const outboxLink = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: /^(Waiting to send|Sending|Needs attention)/ });

export const savedText = 'Saved on this device. It will be sent when you are back online.';
