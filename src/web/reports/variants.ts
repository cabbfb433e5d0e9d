// The four report forms are one form; this table holds all that differs between them.
import { type Api, api } from '#shared/api.ts';
import type { ReportType } from '#shared/reports.ts';

type Kind = {
  reportType: ReportType;
  row: Api['submitAccident'] | Api['submitIncident'];
  title: string;
  personLabel: string;
  typeLabel: string;
  filed: string;
};

const accident: Kind = {
  reportType: 'accident',
  row: api.submitAccident,
  title: 'Accident Reporting Form',
  personLabel: 'Injured person',
  typeLabel: 'Type of accident',
  filed: 'Accident report submitted successfully!',
};

const incident: Kind = {
  reportType: 'incident',
  row: api.submitIncident,
  title: 'Incident Reporting Form',
  personLabel: 'Involved person',
  typeLabel: 'Type of incident',
  filed: 'Incident report submitted successfully!',
};

type Wording = {
  signatureLabel: string;
  signatureMissing: string;
  /** Said when an empty pad is saved; without it nothing happens. */
  emptySignature?: string;
  notFiled: (reason: string) => string;
};

const tab: Wording = {
  signatureLabel: 'Reporter signature',
  signatureMissing: 'Reporter signature is required',
  notFiled: (reason) => `Error: Network response was not ok: ${reason}`,
};

const standalone: Wording = {
  signatureLabel: 'Your signature',
  signatureMissing: 'Your signature is required',
  emptySignature: 'Please draw a signature before saving',
  notFiled: (reason) => `Error submitting report: Server error: ${reason}`,
};

/** `id` names the draft: what was typed on one form is not found on another. */
export type Variant = Kind & Wording & { id: string };

export const variants = {
  accident: { id: 'accident', ...accident, ...tab },
  incident: { id: 'incident', ...incident, ...tab },
  standaloneAccident: { id: 'standalone-accident', ...accident, ...standalone },
  standaloneIncident: { id: 'standalone-incident', ...incident, ...standalone },
} satisfies Record<string, Variant>;

/** What all four say alike. */
export const messages = {
  missing: 'Please fill in all required fields',
  affectedSignatureMissing: 'Affected party signature is required',
  noPhoto: 'Please upload at least one media file',
  sending: 'Processing data and uploading media files...',
  filesFailed: 'Error processing files. Please try again.',
  signatureFailed: 'Failed to upload your signature. Please try again.',
  affectedSignatureFailed: 'Failed to upload affected party signature. Please try again.',
} as const;
