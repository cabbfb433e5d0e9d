import { reportFieldNames } from '#shared/reports/report-fields.ts';
import { ReportText } from '#shared/reports/reports.ts';
import { isSignedAsOther } from '../signature/png.ts';
import { type FieldErrors, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import type { ReportDraft } from './reportDraft.ts';
import { getFieldLabels, messages, type Variant } from './variants.ts';

type CheckedDraft = Pick<ReportDraft, 'values' | 'photos' | 'signature' | 'affectedUserSignature'>;

/** Returns the errors of a report before it is sent, in its form's own words. */
export function checkReport(draft: CheckedDraft, variant: Variant): FieldErrors {
  return {
    ...getFieldErrors(ReportText, draft.values),
    ...(draft.photos.length === 0 && { mediaFiles: messages.noPhoto }),
    ...(!draft.signature && { signature: variant.signatureMissing }),
    ...(!draft.affectedUserSignature && { affectedUserSignature: messages.affectedSignatureMissing }),
    ...(isSignedAsOther(draft.signature, draft.values.reporter) && { signature: messages.signedAsOther }),
    ...(isSignedAsOther(draft.affectedUserSignature, draft.values.name) && {
      affectedUserSignature: messages.signedAsOther,
    }),
  };
}

/** Returns the status about the first field with an error, which gets the focus. */
export function summariseErrors(
  errors: FieldErrors,
  { values }: Pick<ReportDraft, 'values'>,
  variant: Variant,
): { text: string; hint?: string } | undefined {
  const labels = getFieldLabels(variant);
  const field = reportFieldNames.find((name) => name in errors);
  if (!field) {
    const [text] = Object.values(errors);
    return text === undefined ? undefined : { text };
  }
  if (values[field].trim() === '') return { text: messages.missing, hint: `Start with “${labels[field]}”.` };
  return { text: errors[field] ?? '', hint: `Check “${labels[field]}”.` };
}
