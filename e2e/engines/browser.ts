// The commands that both browsers support. Finding, waiting and typing are the same for both: see
// app.ts.
import type { InPage } from './in-page.ts';

/**
 * W3C WebDriver actions, which WebDriver Classic and WebDriver BiDi share:
 * https://www.w3.org/TR/webdriver2/#actions
 */
export type Actions =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | {
      type: 'pointer';
      id: string;
      parameters: { pointerType: 'mouse' };
      actions: (
        | { type: 'pointerMove'; x: number; y: number; duration?: number }
        | { type: 'pointerDown' | 'pointerUp'; button: 0 }
      )[];
    };

export type Browser = {
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page. */
  run<Name extends keyof InPage>(
    name: Name,
    ...args: Parameters<InPage[Name]>
  ): Promise<Awaited<ReturnType<InPage[Name]>>>;
  perform(actions: Actions): Promise<void>;
  /** Picks files in the file input that a CSS selector finds. */
  pickFiles(selector: string, paths: string[]): Promise<void>;
  /** Errors and warnings on the console so far. */
  consoleErrors: string[];
  close(): Promise<void>;
};

export const viewport = { width: 390, height: 780 };
