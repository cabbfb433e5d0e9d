import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getInputCount, hasNewInput, markInputSent } from './activity.ts';

test('opening a page counts as new input until a request has reported it to the server', () => {
  expect(hasNewInput()).toBe(true);
  markInputSent(getInputCount());
  expect(hasNewInput()).toBe(false);
});

/** Files that call `fetch` themselves, with what each says about the session. */
const callers: Record<string, RegExp> = {
  'client/api.ts': /!hasNewInput\(\) && backgroundHeaders/,
  'drafts/offlineCopies.ts': /headers: backgroundHeaders/,
  'offline/connection.ts': /credentials: 'omit'/,
  'outbox/sendFromWorker.ts': /headers: backgroundHeaders/,
  'outbox/sendItem.ts': /isBackground: true/,
  // These fetch files of the screens, which does not extend a session.
  'offline/reviewerScreens.ts': /fetch\(request\)/,
  'photos/heic.ts': /fetch\(workerUrl\)/,
};

// Timers need no list, because every request without new input is a background request.
test('every request of the screens is sent by code that can mark it as a background request', () => {
  const root = new URL('..', import.meta.url).pathname;
  const sources = globSync('**/*.{ts,tsx}', { cwd: root, exclude: (name) => name.includes('.test') });
  const sending = sources.filter((path) =>
    /(?<![\w.]|function )fetch\(['"`\w]|settings\.fetch\(|sendRequest\(|sendBeacon|XMLHttpRequest|EventSource/.test(
      readFileSync(`${root}/${path}`, 'utf8'),
    ),
  );
  expect(sending.sort()).toEqual(Object.keys(callers).sort());
  for (const path of sending) expect(readFileSync(`${root}/${path}`, 'utf8'), path).toMatch(callers[path] as RegExp);
});
