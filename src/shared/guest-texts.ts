// What guests read, in English and Welsh. The Welsh is to be read by a Welsh speaker before it is printed.
export const labelTexts = {
  question: { en: 'Something dangerous here? Tell us.', cy: 'Rhywbeth peryglus yma? Rhowch wybod i ni.' },
  emergency: { en: 'In an emergency ring 999.', cy: 'Mewn argyfwng ffoniwch 999.' },
} as const;
