import { declareKind } from '../record-kind.ts';

export const placeKind = declareKind({
  table: 'places',
  children: [
    { table: 'passes_needed', of: 'place_id', isWithoutId: true },
    { table: 'place_links', of: 'place_id', isWithoutId: true },
  ],
  park: 'park',
  found: { label: ({ name, park }) => `${name}, ${park}` },
  purpose: 'A place where something was reported',
  log: { readers: 'reviewers' },
});
