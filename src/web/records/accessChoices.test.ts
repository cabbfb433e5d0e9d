import { expect, test } from 'vitest';
import type { Choice, Hit } from '#shared/people/access-requests.ts';
import { listSendable, redactInAll } from './accessChoices.ts';

const hit = (id: string, text: string, changes: Partial<Hit> = {}): Hit => ({
  ...{ id, thing: 'report', label: id, where: ['name'], isPossible: false, others: [], images: [] },
  texts: [{ field: 'details', text }],
  ...changes,
});
const choice = (id: string, choice: Choice['choice'], changes: Partial<Choice> = {}) => ({
  [id]: { id, choice, ...changes },
});

test('only confirmed records without a choice that name nobody else can be sent together', () => {
  const hits = [
    hit('plain', 'Fell'),
    hit('near spelling', 'Fell', { isPossible: true }),
    hit('with a witness', 'Fell', { others: ['Huw Parry'] }),
    hit('left out', 'Fell'),
    hit('log', 'Fell', { thing: 'activity' }),
  ];
  const sendable = listSendable(hits, choice('left out', 'leave', { because: 'Advice' }));
  expect(sendable.map(({ id }) => id)).toEqual(['plain']);
});

test('a name is blacked out in every confirmed record that may contain it and is not left out, and earlier redactions stay', () => {
  const hits = [
    hit('field', 'Huw  PARRY', { others: ['Huw Parry', 'Mair'] }),
    hit('to be sent', 'Seen by huw parry'),
    hit('redacted', 'Huw Parry and Elin', { others: ['Elin'] }),
    hit('left out', 'Huw Parry'),
    hit('without', 'Mair'),
    hit('near spelling', 'Huw Parry', { isPossible: true }),
    hit('near spelling to be sent', 'Huw Parry', { isPossible: true }),
    hit('long', 'x'.repeat(10_000)),
  ];
  const choices = {
    ...choice('to be sent', 'send'),
    ...choice('redacted', 'redact', { texts: ['a tattoo'] }),
    ...choice('left out', 'leave', { because: 'Advice' }),
    ...choice('near spelling to be sent', 'send'),
  };
  expect(redactInAll('Huw Parry', hits, choices).map(({ id, choice, texts }) => [id, choice, texts])).toEqual([
    ['field', 'redact', ['Huw Parry', 'Mair']],
    ['to be sent', 'redact', ['Huw Parry']],
    ['redacted', 'redact', ['a tattoo', 'Huw Parry']],
    ['near spelling to be sent', 'redact', ['Huw Parry']],
    ['long', 'redact', ['Huw Parry']],
  ]);
});
