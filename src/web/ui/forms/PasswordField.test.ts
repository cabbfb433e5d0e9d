import { globSync, readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PinField } from '../../auth/PinField.tsx';
import { PasswordField } from './PasswordField.tsx';

test.each([
  ['password', PasswordField],
  ['PIN', PinField],
])('a %s is hidden while it is typed, and password managers can fill it in', (_, Field) => {
  const field = createElement(Field, { label: 'Secret', autoComplete: 'current-password' });
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, field));
  const [input = ''] = /<input[^>]*>/.exec(markup) ?? [];
  expect(input).toContain('type="password"');
  expect(input).toContain('autoComplete="current-password"');
});

test('every form with a password or PIN uses these fields, and none stops pasting', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const forms = globSync('**/*.tsx', { cwd: root })
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
    .filter(({ text }) => /(?:current|new)-password|label="[^"]*\b(?:password|PIN)"/i.test(text));
  expect(forms.length).toBeGreaterThan(4);
  for (const { path, text } of forms) {
    expect(text, path).toMatch(/<(?:PasswordField|PinField|CurrentPassword)\b/);
    expect(text, path).not.toMatch(/onPaste|onDrop|onBeforeInput/);
  }
});
