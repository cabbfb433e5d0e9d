// Input survives a reload right after typing.
import { expect, test } from './server.ts';

for (const ms of [0, 100])
  test(`checklist editor input survives a reload ${ms} ms after the last key`, { tag: '@once' }, async ({
    page,
    signInAs,
  }) => {
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await page.getByRole('button', { name: 'New Checklist' }).click();
    const title = page.getByLabel('Checklist title');
    for (const word of ['Pool', 'Pool edge', 'Pool edge and', 'Pool edge and steps']) {
      await title.fill(word.slice(0, -1));
      const reloaded = page.waitForEvent('load');
      await title.evaluate(
        (_, [last, ms]) => {
          document.execCommand('insertText', false, last);
          if (ms === 0) location.reload();
          else setTimeout(() => location.reload(), ms);
        },
        [word.slice(-1), ms] as const,
      );
      await reloaded;
      await expect(title).toHaveValue(word);
    }
  });

for (const ms of [0, 100, 250])
  test(`report input survives a reload ${ms} ms after the last key`, { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    const location = page.getByLabel('Location or plot');
    for (const word of ['Pool', 'Pool edge', 'Pool edge and', 'Pool edge and steps']) {
      await location.fill(word.slice(0, -1));
      const reloaded = page.waitForEvent('load');
      await location.evaluate(
        (_, [last, ms]) => {
          document.execCommand('insertText', false, last);
          if (ms === 0) window.location.reload();
          else setTimeout(() => window.location.reload(), ms);
        },
        [word.slice(-1), ms] as const,
      );
      await reloaded;
      await expect(location).toHaveValue(word);
    }
  });
