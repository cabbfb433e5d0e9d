// Uses the app by the names of its controls, and waits for them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';
import type { Browser } from './browser.ts';

/** WebDriver's code for the Enter key. */
const enterKey = '\uE006';

export type App = ReturnType<typeof createApp>;

export function createApp(browser: Browser, url: string) {
  /**
   * The position of a control, once it no longer moves: content loading above it may push it down.
   */
  async function findBox(name: string | RegExp) {
    let last: Awaited<ReturnType<typeof findCurrentBox>> | null = null;
    const findCurrentBox = () => browser.run('findBox', toPattern(name));
    const hasStoppedMoving = async () => {
      const before = last;
      last = await findCurrentBox();
      return last !== null && isDeepStrictEqual(last, before);
    };
    await expect.poll(hasStoppedMoving, { message: `${name} is on the screen`, intervals: [100] }).toBe(true);
    return last as NonNullable<typeof last>;
  }

  const app = {
    open: (path: string) => browser.open(new URL(path, url).href),
    reload: browser.reload,

    async press(name: string | RegExp) {
      const { x, y, width, height } = await findBox(name);
      await browser.perform(pointer([{ x: x + width / 2, y: y + height / 2 }]));
    },

    /** Types into an empty field. */
    async type(name: string | RegExp, text: string) {
      await app.press(name);
      const actions = [...text.replaceAll('\n', enterKey)].flatMap((value) => [
        { type: 'keyDown' as const, value },
        { type: 'keyUp' as const, value },
      ]);
      await browser.perform({ type: 'key', id: 'keyboard', actions });
      await app.expectValue(name, text);
    },

    /** Sets the value of a date, a time or a list, because each browser has its own picker. */
    async set(name: string | RegExp, value: string) {
      await findBox(name);
      await browser.run('setValue', toPattern(name), value);
    },

    async addPhotos(paths: string[]) {
      await browser.pickFiles('input[type=file]', paths);
      await app.expectText(paths.length === 1 ? '1 photo added.' : `${paths.length} photos added.`);
    },

    /** Opens the dialog of a signature, draws a wave and saves it. */
    async sign(name: string | RegExp) {
      await app.press(name);
      const { x, y, width, height } = await findBox(/^Signature/);
      const wavePoints = Array.from({ length: 16 }, (_, step) => ({
        x: x + width * (0.1 + 0.05 * step),
        y: y + height * (0.5 + 0.3 * Math.sin(step)),
      }));
      await browser.perform(pointer(wavePoints));
      await app.press('Save Signature');
      // While it closes, the dialog covers what is pressed next, which moves when the signature is shown.
      await app.expectNoText('Save Signature');
      await app.expectText('Sign Again');
    },

    expectText: (text: string) =>
      expect.poll(() => browser.run('readText'), { message: `“${text}” is shown`, timeout: 60_000 }).toContain(text),
    expectNoText: (text: string) =>
      expect.poll(() => browser.run('readText'), { message: `“${text}” is gone` }).not.toContain(text),
    expectValue: (name: string | RegExp, value: string) =>
      expect.poll(() => browser.run('readValue', toPattern(name)), { message: `${name} holds` }).toBe(value),
    expectPath: (path: string) => expect.poll(() => browser.run('readPath'), { timeout: 60_000 }).toBe(path),
  };
  return app;
}

/** Presses at the first point, moves over the others, and releases. */
const pointer = (points: { x: number; y: number }[]) => {
  const [first, ...others] = points.map(({ x, y }) => ({
    type: 'pointerMove' as const,
    x: Math.round(x),
    y: Math.round(y),
  }));
  if (!first) throw new Error('no point');
  return {
    type: 'pointer' as const,
    id: 'mouse',
    parameters: { pointerType: 'mouse' as const },
    actions: [
      first,
      { type: 'pointerDown' as const, button: 0 as const },
      ...others.map((point) => ({ ...point, duration: 20 })),
      { type: 'pointerUp' as const, button: 0 as const },
    ],
  };
};

const toPattern = (name: string | RegExp) =>
  name instanceof RegExp ? name.source : `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
