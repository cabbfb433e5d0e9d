import * as z from 'zod/mini';
import { NewReport } from '#shared/reports.ts';
import { type FieldErrors, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import type { FieldName, ReportDraft } from './reportDraft.ts';
import { messages, type Variant } from './variants.ts';

const TypedFields = z.omit(NewReport, { mediaFiles: true, signature: true, affectedUserSignature: true });

/** What is wrong with the report before it is sent, in the words of its form. */
export function checkReport(draft: ReportDraft, variant: Variant): FieldErrors {
  return {
    ...getFieldErrors(TypedFields, draft.values),
    ...(!draft.signature && { signature: variant.signatureMissing }),
    ...(!draft.affectedUserSignature && { affectedUserSignature: messages.affectedSignatureMissing }),
    ...(draft.photos.length === 0 && { mediaFiles: messages.noPhoto }),
  };
}

/** The one line that sums the faults up, or nothing: what is empty first, then what is not right, signatures, photos. */
export function summariseErrors(errors: FieldErrors, { values }: ReportDraft): string | undefined {
  const isMissing = Object.keys(values).some((name) => name in errors && values[name as FieldName].trim() === '');
  return isMissing ? messages.missing : Object.values(errors)[0];
}
