// The rows that one keystroke in a checklist of 200 questions redraws, as React's profiler counts
// them, and how long the browser needs for it. Fails if more than one row is redrawn.
// Run: npm run bench
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { api } from '../src/shared/api.ts';
import { sendRequest } from '../src/shared/client.ts';
import { signIn, startProduct } from './product.ts';

const questionCount = 200;

const dataDir = await mkdtemp(join(tmpdir(), 'typing-'));
const product = await startProduct(dataDir);
const cookie = await signIn(product.url);
const withCookie: typeof fetch = (path, init) =>
  fetch(new URL(String(path), product.url), { ...init, headers: { ...(init?.headers as object), cookie } });
const sections = Array.from({ length: questionCount }, (_, index) => ({
  title: `Question ${index + 1}`,
  type: 'text' as const,
  required: false,
}));
await sendRequest(withCookie, api.createChecklist, { body: { title: 'Long', sections } });

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '', args: ['--no-sandbox'] });
const [name = '', value = ''] = cookie.split('=');
const context = await browser.newContext({ serviceWorkers: 'block' });
await context.addCookies([{ name, value, url: product.url }]);
const page = await context.newPage();

/** Counts redrawn rows as React's developer tools do: a component that ran has the flag 1. */
await page.addInitScript(() => {
  type Fiber = {
    alternate: Fiber | null;
    child: Fiber | null;
    sibling: Fiber | null;
    flags: number;
    memoizedProps: Record<string, unknown> | null;
  };
  const counts = { rows: 0, all: 0 };
  const isRow = ({ memoizedProps: props }: Fiber) => props !== null && 'section' in props && 'onChange' in props;
  function countRedrawn(fiber: Fiber): void {
    const { alternate } = fiber;
    if (alternate && fiber.flags & 1) {
      counts.all += 1;
      if (isRow(fiber)) counts.rows += 1;
    }
    // React reuses the children of a component that it skips.
    if (alternate && fiber.child === alternate.child) return;
    for (let child = fiber.child; child; child = child.sibling) countRedrawn(child);
  }
  Object.assign(window, {
    redrawn: counts,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: unknown, root: { current: Fiber }) => countRedrawn(root.current),
      onCommitFiberUnmount: () => undefined,
    },
  });
});

await page.goto(`${product.url}/checklists`);
await page.getByRole('button', { name: /Long/ }).first().click();
const field = page.getByLabel('Question 100', { exact: true });
await field.click();
// The first letter also starts a draft.
await page.keyboard.type('a');
await page.waitForTimeout(1000);
const { rows, all, ms } = await page.evaluate(async () => {
  const counts = (window as unknown as { redrawn: { rows: number; all: number } }).redrawn;
  counts.rows = 0;
  counts.all = 0;
  const input = document.activeElement as HTMLTextAreaElement;
  const started = performance.now();
  document.execCommand('insertText', false, 'b');
  const ms = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  if (input.value !== 'ab') throw new Error(`The field has ${input.value}`);
  return { ...counts, ms };
});
console.log(
  `One letter in question 100 of ${questionCount}: ${rows} row and ${all} components redrawn, ${ms.toFixed(1)} ms`,
);
await browser.close();
await product.stop();
await rm(dataDir, { recursive: true, force: true });
if (rows !== 1) process.exitCode = 1;
