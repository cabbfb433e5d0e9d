// A checklist with a section of each type, and answers to it.
import { signaturePng } from './factories.ts';

export const toDataUrl = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
export const signature = toDataUrl(await signaturePng());

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
} as Record<string, string | boolean>;
