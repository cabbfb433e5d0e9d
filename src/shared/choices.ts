// The parks, choices of the report form, and limits of texts, numbers and files.

/** The parks, unless PARKS_FILE lists others. */
export const defaultParks = [
  'Abbeyffordd',
  'Caerelwan',
  'Delyn Metals',
  'Eryl Hall',
  'Kingsley',
  'Lido Beach',
  'Lyndale',
  'Manor House',
  'Marian Resort',
  'Molfre View',
  'Mounds',
  'Oakfield',
  'Pendyffryn Hall',
  'Point of Ayr',
  'Robin Hood',
  'Snowdon View',
  'St Marys',
  'Sunny Sands',
  'Tyddyn Goronwy',
  'Winkups',
] as const;

/** Shown for users without a park. */
export const allParks = 'All parks';

export const employmentStatuses = ['Staff', 'Owner', 'Visitor', 'Guest', 'Contractor'] as const;
export const emergencyServices = ['None', 'Ambulance', 'Police', 'Fire Brigade', 'Coast Guard'] as const;

/** Maximum characters of texts, for schemas and for the fields that they check. */
export const textLimits = {
  unit: 20,
  telephone: 40,
  username: 64,
  name: 120,
  line: 200,
  email: 254,
  reason: 500,
  note: 2000,
  description: 5000,
  details: 10_000,
} as const;

/** The highest age, photos of one record, bytes of a file, and for how long messages are shown. */
export const limits = {
  age: 120,
  photos: 20,
  photoBytes: 10 * 1024 * 1024,
  signatureBytes: 1024 * 1024,
  thumbnailBytes: 5 * 1024 * 1024,
  feedbackMs: 2000,
  toastMs: 3000,
} as const;
