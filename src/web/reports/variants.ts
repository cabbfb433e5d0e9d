// The differences between the four report forms.
import { isOptional, mapReportFields } from '#shared/reports/report-fields.ts';
import type { ReportType } from '#shared/reports/reports.ts';
import { type OutboxForm, outboxForms } from '../formNames.ts';

type ReportKind = {
  reportType: ReportType;
  title: string;
  personLabel: string;
  typeLabel: string;
  submittedMessage: string;
};

const accident: ReportKind = {
  reportType: 'accident',
  title: 'Accident Reporting Form',
  personLabel: 'Injured person',
  typeLabel: 'Type of accident',
  submittedMessage: 'Accident report submitted successfully!',
};

const incident: ReportKind = {
  reportType: 'incident',
  title: 'Incident Reporting Form',
  personLabel: 'Involved person',
  typeLabel: 'Type of incident',
  submittedMessage: 'Incident report submitted successfully!',
};

type FormWording = {
  signatureLabel: string;
  signatureMissing: string;
  /** Shown when an empty signature is saved; nothing happens without it. */
  emptySignature?: string;
  formatFailure: (reason: string) => string;
};

const tab: FormWording = {
  signatureLabel: 'Reporter signature',
  signatureMissing: 'Reporter signature is required',
  formatFailure: (reason) => `Error: Network response was not ok: ${reason}`,
};

const standalone: FormWording = {
  signatureLabel: 'Your signature',
  signatureMissing: 'Your signature is required',
  emptySignature: 'Please draw a signature before saving',
  formatFailure: (reason) => `Error submitting report: Server error: ${reason}`,
};

/** `id` names the draft: each form has its own. `url` is the page with the form. */
export type Variant = ReportKind & FormWording & { id: OutboxForm; url: string };

export const variants = {
  accident: { id: outboxForms.accident(), url: '/reporting', ...accident, ...tab },
  incident: { id: outboxForms.incident(), url: '/reporting?tab=incident', ...incident, ...tab },
  standaloneAccident: { id: outboxForms.standaloneAccident(), url: '/accidentreporting', ...accident, ...standalone },
  standaloneIncident: { id: outboxForms.standaloneIncident(), url: '/incidentreporting', ...incident, ...standalone },
} satisfies Record<string, Variant>;

/** Messages of all four forms. */
export const messages = {
  missing: 'Please fill in all required fields',
  affectedSignatureMissing: 'Affected party signature is required',
  signedAsOther: 'The name was changed after signing',
  noPhoto: 'Please upload at least one media file',
  sending: 'Processing data and uploading media files...',
  filesFailed: 'Error processing files. Please try again.',
  signatureFailed: 'Failed to upload your signature. Please try again.',
  affectedSignatureFailed: 'Failed to upload affected party signature. Please try again.',
} as const;

/** The labels of everything that is typed or chosen, in the order of the form. */
export const getFieldLabels = ({ personLabel, typeLabel }: Variant) => ({
  ...mapReportFields(({ label }, name) => (isOptional(name) ? `${label} (optional)` : label)),
  name: personLabel,
  type: typeLabel,
});
