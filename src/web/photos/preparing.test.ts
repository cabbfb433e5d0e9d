import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Store } from '../createStore.ts';

// React subscribes to no store while it writes HTML, and runs no effects.
vi.mock('../useStore.ts', () => ({ useStore: ({ get }: Store<unknown>) => get() }));
vi.mock('./preparePhoto.ts', () => ({ isPhoto: async () => true }));

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  };
  const ownKeys = () => [...stored.keys()];
  const getOwnPropertyDescriptor = () => ({ enumerable: true, configurable: true });
  vi.stubGlobal('localStorage', new Proxy(storage, { ownKeys, getOwnPropertyDescriptor }));
});
afterEach(() => vi.unstubAllGlobals());

/** Opens a page: what an earlier one had in memory is gone. */
async function openPage() {
  vi.resetModules();
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  const { cancelPreparation, clearProblems, preparePhotos, usePreparation } = await import('./preparing.ts');
  return {
    cancelPreparation,
    clearProblems,
    prepare: (form: string, files: string[], prepare: (file: File) => Promise<unknown>) =>
      preparePhotos(
        form,
        files.map((name) => new File([], name)),
        { room: 10, describeLimit: () => '', isStrict: false, prepare },
      ),
    /** Returns what the form says about its photos. */
    read(form: string) {
      const Form = () => usePreparation(form, () => undefined).problems.join();
      return renderToStaticMarkup(createElement(Form));
    },
  };
}
const never = () => new Promise(() => undefined);

test('photos that were not ready when the page was closed are named as not added, until others are added', async () => {
  const closed = await openPage();
  void closed.prepare('accident', ['1.jpg', '2.jpg'], never);
  void closed.prepare('incident', ['3.jpg'], never);
  const page = await openPage();
  expect(page.read('accident')).toBe(
    '2 photos were not ready when the page was closed, and were not added. Add them again.',
  );
  expect(page.read('incident')).toBe(
    'A photo was not ready when the page was closed, and was not added. Add it again.',
  );
  expect(page.read('hazard')).toBe('');
  void page.prepare('accident', ['1.jpg'], never);
  expect(page.read('accident')).toBe('');
  page.clearProblems('incident');
  expect((await openPage()).read('incident')).toBe('');
});

test('a page that is closed without unfinished photos leaves nothing behind', async () => {
  const page = await openPage();
  await page.prepare('accident', ['broken.jpg'], async () => {
    throw new Error('This image could not be read.');
  });
  void page.prepare('incident', ['1.jpg'], never);
  page.cancelPreparation('incident');
  expect([...stored]).toEqual([]);
});
