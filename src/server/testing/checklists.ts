// A checklist with a section of each type, and answers to it.
import { signaturePng } from './factories.ts';

export const toDataUrl = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
export const signature = toDataUrl(await signaturePng());

const choices = ['Open', 'Shut', 'Being cleaned'].map((text) => ({ text, fails: false }));

export const sections = [
  { title: 'What was seen', type: 'text', required: true },
  { title: 'Park', type: 'site', required: true },
  { title: 'Fence is whole', type: 'checkbox', required: true },
  { title: 'Signed', type: 'signature', required: true },
  { title: 'Begun at', type: 'time', required: false },
  { title: 'Next check', type: 'date', required: false },
  { title: 'Lifebuoy in place', type: 'na', required: false },
  { title: 'Gate locks', type: 'checkbox', required: false },
  { title: 'Witness', type: 'signature', required: false },
  { title: 'Slide', type: 'choice', required: false, choices },
  { title: 'Swings', type: 'choices', required: false, choices },
  { title: 'Whole area', type: 'photo', required: false },
  { title: 'Seen with', type: 'person', required: false },
  { title: 'Close the gate', type: 'info', required: false },
] as const;
export const newChecklist = { title: 'Play area', sections: [...sections] };

export const answers = {
  0: 'Swing chain worn.\nTaken out of use.',
  1: 'Lido Beach',
  2: true,
  3: signature,
  4: '09:05:30',
  5: '01/12/2026',
  6: 'N/A',
  7: false,
  9: 'Shut',
  10: 'Open\nBeing cleaned',
  12: 'Alex Lewis',
} as Record<string, string | boolean>;
