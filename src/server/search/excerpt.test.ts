import { expect, test } from 'vitest';
import { getExcerpt } from './excerpt.ts';

const before = 'The handrail by the water was checked again and again. ';
const after = ' until the season began, and nobody slipped there any more, as the wardens say.';

test.each<[name: string, title: string, texts: string[], search: string, excerpt: string]>([
  ['the title has all words', 'Mend the step', ['The step broke'], 'STEP mend', ''],
  ['no text has a word', 'Mend', ['', 'Gate'], 'step', ''],
  ['a short text', 'Mend', ['Gate', 'The step broke'], 'step', 'The step broke'],
  [
    'the middle of a long text',
    'Mend',
    [`${before}Stépped edges held${after}`],
    'stepped',
    '…the water was checked again and again. Stépped edges held until the season began, and nobody slipped there any more, as…',
  ],
  ['a word that the title lacks', 'Mend the step', ['The step at plot 12'], 'step plot', 'The step at plot 12'],
  ['letters that fold to more than one', 'Mend', ['ﬁﬁﬁ ½ ﬃ step'], 'step', 'ﬁﬁﬁ ½ ﬃ step'],
  ['lines', 'Mend', ['one\n\n  two'], 'two', 'one two'],
])('%s', (_, title, texts, search, excerpt) => {
  expect(getExcerpt(title, texts, search)).toBe(excerpt);
});
