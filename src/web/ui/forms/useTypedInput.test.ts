import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Store } from '../../createStore.ts';
import { storeTypedInput } from './typedInput.ts';
import { useTypedInput } from './useTypedInput.ts';

// React subscribes to no store while it writes HTML.
vi.mock('../../useStore.ts', () => ({ useStore: ({ get }: Store<unknown>) => get() }));

test('values that an earlier version did not keep are those of the start', () => {
  const start: { title: string; days: number[] } = { title: '', days: [1] };
  const Form = () => JSON.stringify(useTypedInput({ name: 'form', keep: 'sealed' }, start).values);
  storeTypedInput('form', { values: { title: 'Pool' }, keep: 'sealed' });
  const shown = renderToStaticMarkup(createElement(Form)).replaceAll('&quot;', '"');
  expect(JSON.parse(shown)).toEqual({ title: 'Pool', days: [1] });
});

test('what was typed is the same object until it changes', () => {
  const values = { title: 'Pool' };
  storeTypedInput('form', { values, keep: 'sealed' });
  let shown: object | undefined;
  const Form = () => {
    shown = useTypedInput({ name: 'form', keep: 'sealed' }, { title: '' }).values;
    return null;
  };
  renderToStaticMarkup(createElement(Form));
  expect(shown).toBe(values);
});
