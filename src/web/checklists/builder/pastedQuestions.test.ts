import { expect, test } from 'vitest';
import { toQuestions } from './pastedQuestions.ts';

test.each([
  ['one line', 'Is the gate shut?\n', undefined],
  ['lines', 'Gate shut?\r\n\n  Fence sound? \n', [{ title: 'Gate shut?' }, { title: 'Fence sound?' }]],
  [
    'a heading',
    'Outside:\nGate shut?\nFence sound?\nPlant room:\nPumps running?',
    [
      { title: 'Gate shut?', heading: 'Outside' },
      { title: 'Fence sound?' },
      { title: 'Pumps running?', heading: 'Plant room' },
    ],
  ],
  ['two headings in a row', 'Outside:\nGates:\nShut?', [{ title: 'Shut?', heading: 'Outside: Gates' }]],
  ['a colon in the last line', 'Gate shut?\nRemarks:', [{ title: 'Gate shut?' }, { title: 'Remarks:' }]],
  [
    'signs and numbers of a list',
    '1. Gate\n2) Fence\n(b) Path\n•\tSigns\n- Bins\n☐ Lights\n24 V supply',
    ['Gate', 'Fence', 'Path', 'Signs', 'Bins', 'Lights', '24 V supply'].map((title) => ({ title })),
  ],
  [
    'columns of a table',
    'Gate\tShut\nFence\tSound',
    [
      { title: 'Gate', help: 'Shut' },
      { title: 'Fence', help: 'Sound' },
    ],
  ],
])('pasted text with %s', (_, text, questions) => expect(toQuestions(text)).toEqual(questions));
