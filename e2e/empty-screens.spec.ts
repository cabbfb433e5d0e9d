// Screens without anything on them: their first action for those who may do it, and whom others ask.
import type { Page } from '@playwright/test';
import { listFilledButtons, takePicture } from './page-checks.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/** What a screen without anything offers: the texts of its buttons and links, the filled one first if there is one. */
type Empty = { url: string; replies: Record<string, unknown>; text: string; actions: string[]; filled: string };

const noChecklists = { '**/api/checklists': [] };
const ofReviewers: Empty[] = [
  {
    url: '/checklists',
    replies: noChecklists,
    text: 'No checklists available.',
    actions: ['Create Checklists'],
    filled: 'Create Checklists',
  },
  {
    url: '/admin?tab=checklists',
    replies: noChecklists,
    text: 'No checklists available.',
    actions: ['New Checklist', 'Start from a Template', 'New from File'],
    filled: 'New Checklist',
  },
  {
    url: '/audits',
    replies: { '**/api/audit-folders': [] },
    text: 'No audit folders found',
    actions: ['New Folder'],
    filled: 'New Folder',
  },
  {
    url: '/audit-folders/empty',
    replies: {
      '**/api/audit-folders/empty': { id: 'empty', name: 'Pool', description: '', park: 'Mounds', thumbnail: null },
      '**/api/audits/folder/empty': [],
    },
    text: 'No audits in this folder yet',
    actions: ['New Audit', 'Create First Audit'],
    filled: 'Create First Audit',
  },
  {
    url: '/coming-checks',
    replies: { '**/api/coming-checks*': { checks: [], until: '2026-01-01' } },
    text: 'No checks are scheduled at this park.',
    actions: ['Create Checklists'],
    filled: 'Create Checklists',
  },
  {
    url: '/checks?from=2050-01-01&to=2050-01-01',
    replies: {},
    text: 'No checks match your filters.',
    actions: ['Create Checklists'],
    filled: 'Create Checklists',
  },
  {
    url: '/messages',
    replies: { '**/api/messages*': [] },
    text: 'There are no open messages.',
    actions: ['Print Labels'],
    filled: '',
  },
  {
    url: '/admin/places',
    replies: { '**/api/places': [] },
    text: 'This park has no places yet.',
    actions: [],
    filled: 'Add Place',
  },
];

async function open(page: Page, { url, replies }: Pick<Empty, 'url' | 'replies'>) {
  await page.unrouteAll();
  for (const [path, reply] of Object.entries(replies))
    await page.route(path, (route) => route.fulfill({ json: reply }));
  await page.goto(url);
}

test('screens without anything offer their first action to who may do it, and staff read whom to ask', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const picture = (name: string) => takePicture(page, `empty-${name}`);
  const admin = await signInAs(page, 'Admin');
  for (const screen of ofReviewers) {
    await open(page, screen);
    await expect(page.getByText(screen.text)).toBeVisible();
    for (const name of screen.actions)
      await expect(
        page
          .getByRole('main')
          .getByRole('link', { name, exact: true })
          .or(page.getByRole('button', { name, exact: true })),
      ).toHaveCount(1);
    expect((await page.evaluate(listFilledButtons)).join()).toBe(screen.filled);
    await expectAccessiblePage(page);
    await picture(screen.url.replaceAll(/\W+/g, '-'));
  }

  // The button that was pressed is gone, and what it opened has the focus.
  await open(page, { url: '/admin?tab=checklists', replies: noChecklists });
  // Until it is known that there are none, the button stands beside the search.
  await expect(page.getByText('No checklists available.')).toBeVisible();
  await page.getByRole('button', { name: 'New Checklist' }).press('Enter');
  await expect(page.getByRole('button', { name: 'New Checklist' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'New Checklist' }).locator(':focus')).toBeVisible();

  const { id, username } = admin;
  const self = { id, username, full_name: '', role: 'Admin', park: '', parks: null, email: '', is_linked: false };
  await open(page, { url: '/admin', replies: { '**/api/admin/users': [self] } });
  await expect(page.getByText('You are the only user.')).toBeVisible();
  await expectAccessiblePage(page);
  await picture('users');
  await page.getByRole('button', { name: 'Add Users' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();

  await signInAs(page, 'None', 'Mounds');
  for (const url of ['/checklists', '/coming-checks']) {
    const screen = ofReviewers.find((one) => one.url === url);
    if (!screen) throw new Error(url);
    await open(page, screen);
    await expect(page.getByText(screen.text)).toBeVisible();
    await expect(page.getByText('Ask an Admin or the Health & Safety Manager of your park')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create Checklists' })).toHaveCount(0);
    await picture(`staff${url.replaceAll('/', '-')}`);
  }
});
