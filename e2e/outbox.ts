// The outbox in the header.
import type { Page } from '@playwright/test';

/** The link in the header that shows waiting, sending and failed items. */
export const outboxLink = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: /^(Waiting to send|Sending|Needs attention)/ });

export const savedText = 'Saved on this device. It will be sent when you are back online.';

/** Shown below the specified text after an error, while the device keeps a submission and sends it again. */
export const keptText = 'It is kept on this device and is sent again by itself. You need not press again.';
