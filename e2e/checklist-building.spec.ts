// Checklists with every type of question are built on the screen, with few clicks.
import type { Locator, Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { button, listTitles } from './checklists.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/** Clicks and selects, and counts them: opening a list to choose from is a click, choosing is another. */
function createMouse() {
  let clicks = 0;
  return {
    click: (target: Locator) => {
      clicks += 1;
      return target.click();
    },
    select: (target: Locator, label: string) => {
      clicks += 2;
      return target.selectOption({ label });
    },
    getClicks: () => clicks,
  };
}

const paste = (page: Page, text: string) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);

async function openEditor(page: Page, mouse: ReturnType<typeof createMouse>) {
  await page.goto('/admin?tab=checklists');
  await mouse.click(button(page, 'New Checklist'));
  const editor = page.getByRole('form', { name: 'New Checklist' });
  await expect(editor.getByLabel('Checklist title')).toBeFocused();
  return editor;
}

test(
  '15 questions with limits take at most 30 clicks, and Enter goes from one to the next',
  {
    tag: '@once',
  },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Fifteen ${info.project.name}`;
    await signInAs(page, 'Admin');
    const mouse = createMouse();
    const editor = await openEditor(page, mouse);
    await page.keyboard.type(title);
    await mouse.click(editor.getByLabel('Section title'));
    await page.keyboard.type('Outlet 1');
    await mouse.click(editor.getByLabel('The answer is a number'));
    await mouse.click(editor.getByLabel('Lowest'));
    for (let number = 1; number <= 15; number += 1) {
      if (number > 1) {
        await expect(editor.getByLabel('Section title')).toBeFocused();
        await page.keyboard.type(`Outlet ${number}`);
        await page.keyboard.press('Enter');
      }
      await expect(editor.getByLabel('Lowest')).toBeFocused();
      await page.keyboard.type(String(40 + number));
      await page.keyboard.press('Enter');
      await expect(editor.getByLabel('Highest')).toBeFocused();
      await page.keyboard.type(String(60 + number));
      if (number < 15) await page.keyboard.press('Enter');
    }
    await mouse.click(button(editor, 'Create Checklist'));
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    expect(mouse.getClicks()).toBeLessThanOrEqual(30);
    const created = (await admin(api.listChecklists)).find((checklist) => checklist.title === title);
    expect(created?.sections).toHaveLength(15);
    expect(created?.sections[14]).toMatchObject({
      title: 'Outlet 15',
      number: { min: 55, max: 75 },
      onFail: { when: 'outOfRange', audit: { urgent: false, days: 1 } },
    });
  },
);

test('a checklist with every type is built on the screen', async ({ page, server, signInAs }, info) => {
  test.slow();
  const admin = await server.as('Admin');
  const title = `Every type ${info.project.name}`;
  await signInAs(page, 'Admin');
  const mouse = createMouse();
  const editor = await openEditor(page, mouse);
  const row = (number: number) => editor.getByRole('listitem').nth(number - 1);
  const type = (label: string) => mouse.select(editor.getByLabel('Type', { exact: true }), label);
  await page.keyboard.type(title);
  await mouse.select(editor.getByLabel('Notes and photos'), 'At any answer');
  await mouse.click(editor.getByLabel('Section title'));
  await paste(
    page,
    'Before:\n1. Read this\n2. Disinfectant\n3. Chlorine\n4. Free of:\n5. Photo\n6. Checked by\n7. Open?\nIn the end:\nWhy not',
  );
  expect(await listTitles(editor)).toEqual([
    ...['Read this', 'Disinfectant', 'Chlorine', 'Photo', 'Checked by', 'Open?', 'Why not'],
  ]);

  await type('Text to read');
  await expect(editor.getByLabel('Required')).toBeHidden();
  await mouse.click(editor.getByLabel('Help (optional)'));
  await page.keyboard.type('Nobody swims until this is done.');

  await mouse.click(button(row(2), /^2\. /));
  await expect(editor.getByLabel('Section title')).toHaveCount(1);
  await type('One of a list');
  await mouse.click(editor.getByLabel('Choices, one per line'));
  await page.keyboard.type('Chlorine\nBromine\nNone');
  await mouse.click(editor.getByRole('checkbox', { name: 'None' }));
  await mouse.select(editor.getByLabel('Failing answer'), 'A failing choice');

  await mouse.click(button(row(3), /^3\. /));
  await expect(row(2)).toContainText('One of a list, fails if None');
  await mouse.click(editor.getByLabel('The answer is a number'));
  await mouse.click(editor.getByLabel('Lowest'));
  await page.keyboard.type('1');
  await expect(editor.getByLabel('Create an audit')).toBeChecked();
  await mouse.click(editor.getByLabel('N/A can be answered'));
  await mouse.click(editor.getByText('Help, and when it is shown'));
  await mouse.select(editor.getByLabel('Shown only if'), '2. Disinfectant');
  await expect(editor.getByRole('checkbox', { name: 'Chlorine' })).toBeChecked();
  await expectAccessiblePage(page);

  await mouse.click(button(row(2), /^2\. /));
  await expect(editor.getByLabel('Required')).toBeChecked();
  await expect(editor.getByText('it decides whether “Chlorine” is shown, which can fail')).toBeVisible();
  await mouse.click(button(editor, 'Move section 2 down'));
  const refusal = editor.getByRole('alert');
  await expect(refusal).toHaveText(
    '“Disinfectant” stays above “Chlorine”, which is shown only with some of its answers.',
  );
  await expect(refusal).toBeInViewport();
  await mouse.click(button(editor, 'Remove section 2'));
  await expect(refusal).toHaveText('“Disinfectant” stays, because “Chlorine” is shown only with some of its answers.');

  await mouse.click(button(row(4), /^4\. /));
  await type('Photos');
  await mouse.click(button(row(5), /^5\. /));
  await type('Person');
  await mouse.click(button(row(6), /^6\. /));
  await type('Yes, No or N/A');
  await mouse.click(button(row(7), /^7\. /));
  await type('Several of a list');
  await mouse.click(editor.getByLabel('Choices, one per line'));
  await page.keyboard.type('Weather\nStaff');
  await mouse.click(editor.getByText('Help, and when it is shown'));
  await mouse.select(editor.getByLabel('Shown only if'), '6. Open?');
  await mouse.click(editor.getByRole('checkbox', { name: 'No', exact: true }));
  await mouse.click(editor.getByRole('checkbox', { name: 'Yes', exact: true }));
  await expectAccessiblePage(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectAccessiblePage(page);

  await button(editor, 'Preview').click();
  const preview = page.getByRole('dialog', { name: 'Preview' });
  await expect(preview.getByText('Read this').first()).toBeVisible();
  await expect(preview.getByRole('textbox', { name: 'Chlorine' })).toBeHidden();
  await preview.getByRole('radio', { name: 'None' }).check();
  await expect(preview.getByRole('textbox', { name: 'What is wrong?' })).toBeVisible();
  await expectAccessiblePage(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();

  await mouse.click(button(editor, 'Create Checklist'));
  await expect(page.getByText('Checklist created successfully')).toBeVisible();
  expect(mouse.getClicks()).toBeLessThanOrEqual(60);
  const created = (await admin(api.listChecklists)).find((checklist) => checklist.title === title);
  const choices = (texts: string[]) => texts.map((text) => ({ text, fails: text === 'None' }));
  const expected = [
    { title: 'Read this', heading: 'Before', type: 'info', required: false, help: 'Nobody swims until this is done.' },
    {
      ...{ title: 'Disinfectant', type: 'choice', required: true, onFail: { when: 'chosen' } },
      choices: choices(['Chlorine', 'Bromine', 'None']),
    },
    {
      ...{ title: 'Chlorine', type: 'text', number: { min: 1, max: null, allowNA: true } },
      showIf: { section: 1, answers: ['Chlorine'] },
    },
    { title: 'Photo', type: 'photo', heading: 'Free of' },
    { title: 'Checked by', type: 'person' },
    { title: 'Open?', type: 'na' },
    {
      ...{ title: 'Why not', heading: 'In the end', type: 'choices', choices: choices(['Weather', 'Staff']) },
      showIf: { section: 5, answers: ['No'] },
    },
  ];
  expect(created).toMatchObject({ notes: 'any', sections: expected });
});
