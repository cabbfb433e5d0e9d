// The form behind all four report pages; variants.ts has the differences.
import { Button, Paper, Title } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { queryClient } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useTabLock } from '../drafts/useTabLock.ts';
import { PhotoField, PROCESSING_IMAGES } from '../photos/PhotoField.tsx';
import { SignatureField } from '../signature/SignatureField.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, withoutFaults } from '../ui/forms/fieldErrors.ts';
import { PrivacyNotice } from '../ui/forms/PrivacyNotice.tsx';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { checkReport, summarise } from './checkReport.ts';
import { OpenInAnotherTab } from './OpenInAnotherTab.tsx';
import { ReportFields } from './ReportFields.tsx';
import { createSignatureFile } from './reportDraft.ts';
import styles from './reportForm.module.css';
import { type Outcome, submitReport } from './submitReport.ts';
import { UploadProgress } from './UploadProgress.tsx';
import { useReportDraft, useStoredDraft } from './useReportDraft.ts';
import { messages, type Variant } from './variants.ts';

type ReportFormProps = {
  variant: Variant;
  /** Heading level of its parts: one below the form's title. */
  headings?: 2 | 3;
  /** Called while photos are prepared or sent, when the form should not be left. */
  onBusyChange?: (isBusy: boolean) => void;
};

export function ReportForm(props: ReportFormProps) {
  const { id } = useUser();
  const { isHeld, takeOver } = useTabLock(`report of ${id}: ${props.variant.id}`);
  if (isHeld === undefined) return <Loading shape="fields" />;
  return isHeld ? <DraftLoader {...props} /> : <OpenInAnotherTab onTakeOver={takeOver} />;
}

function DraftLoader(props: ReportFormProps) {
  const stored = useStoredDraft(props.variant.id);
  return stored.isLoading ? <Loading shape="fields" /> : <ReportFormBody {...props} stored={stored} />;
}

function ReportFormBody({
  variant,
  headings = 2,
  onBusyChange,
  stored,
}: ReportFormProps & { stored: ReturnType<typeof useStoredDraft> }) {
  const { draft, change, clear } = useReportDraft(stored);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [status, setStatus] = useState<Status | undefined>(draft.sent && interruptedStatus);
  const [isProcessing, setProcessing] = useState(false);
  const [sending, setSending] = useState<{ uploadedCount: number; total: number }>();
  const isSubmitting = useRef(false);
  const end = useRef<HTMLDivElement>(null);
  const isFrozen = sending !== undefined || draft.sent !== undefined;

  /** Scroll to the status, unless focus moves to a field error. */
  const showStatus = useEffectEvent(() => {
    if (status !== interruptedStatus && Object.keys(errors).length === 0)
      end.current?.scrollIntoView({ block: 'nearest' });
  });

  useEffect(() => {
    if (status) showStatus();
  }, [status]);

  const process = (isBusy: boolean) => {
    setProcessing(isBusy);
    onBusyChange?.(isBusy);
    if (isBusy) setStatus(undefined);
  };

  /** A corrected field loses its error at once. */
  const edit = (changes: Parameters<typeof change>[0], ...names: string[]) => {
    change(changes);
    setErrors((errors) => withoutFaults(errors, ...names));
  };

  const show = (outcome: Outcome, form: HTMLElement) => {
    if (outcome.isSubmitted) {
      clear();
      setErrors({});
      setStatus({ kind: 'success', text: variant.submittedMessage, hint: describeSubmitted(outcome) });
      void queryClient.invalidateQueries();
      return;
    }
    setErrors(outcome.errors);
    setStatus({ kind: 'error', text: outcome.text, hint: outcome.hint });
    if (Object.keys(outcome.errors).length > 0) focusFirstError(form);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // State updates too late to block the second of two quick taps.
    if (isSubmitting.current || isProcessing) return;
    if (!draft.sent) {
      const found = checkReport(draft, variant);
      const summary = summarise(found, draft, variant);
      setErrors(found);
      setStatus(summary && { kind: 'error', ...summary });
      if (summary) return focusFirstError(form);
    }

    isSubmitting.current = true;
    onBusyChange?.(true);
    const total = draft.photos.length;
    setSending({ uploadedCount: 0, total });
    setStatus({ kind: 'progress', text: messages.sending });
    try {
      show(
        await submitReport(variant, draft, {
          saveDraft: change,
          onProgress: (uploadedCount) => setSending({ uploadedCount, total }),
        }),
        form,
      );
    } catch (error) {
      setStatus({ kind: 'error', text: variant.formatFailure(error instanceof Error ? error.message : String(error)) });
    }
    isSubmitting.current = false;
    onBusyChange?.(false);
    setSending(undefined);
  };

  const heading = { order: headings, size: 'h4' } as const;
  const isBusy = sending !== undefined;
  return (
    <form noValidate onSubmit={submit} onKeyDown={focusNextOnEnter} aria-label={variant.title} className={styles.form}>
      <p className={styles.note}>
        Please fill in all fields. What you enter is kept on this device until it is sent. <PrivacyNotice />
      </p>

      <ReportFields
        variant={variant}
        values={draft.values}
        errors={errors}
        heading={heading}
        isDisabled={isFrozen}
        onChange={(name, text) => edit({ values: { ...draft.values, [name]: text } }, name)}
      />

      <DeferredContent>
        <Paper component="section" className={styles.section}>
          <Title {...heading}>Photos</Title>
          <PhotoField
            label="Photos of what happened"
            description="At least one image is required."
            photos={draft.photos}
            onChange={(photos) => edit({ photos }, 'mediaFiles')}
            onBusyChange={process}
            error={errors.mediaFiles}
            disabled={isFrozen}
          />
        </Paper>

        <Paper component="section" className={styles.section}>
          <Title {...heading}>Signatures</Title>
          <div className={styles.pair}>
            <SignatureField
              label={variant.signatureLabel}
              of={{ role: 'Person completing the form', name: draft.values.reporter }}
              description="Of the person completing this form"
              value={draft.signature}
              onChange={(signature) => edit({ signature: createSignatureFile('signature', signature) }, 'signature')}
              error={errors.signature}
              disabled={isFrozen}
              {...(variant.emptySignature && { emptyMessage: variant.emptySignature })}
            />
            <SignatureField
              label="Affected party signature"
              of={{ role: variant.personLabel, name: draft.values.name }}
              allowsSigningFor
              description={`Of the ${variant.personLabel.toLowerCase()}`}
              value={draft.affectedUserSignature}
              onChange={(signature) =>
                edit(
                  { affectedUserSignature: createSignatureFile('affected-signature', signature) },
                  'affectedUserSignature',
                )
              }
              error={errors.affectedUserSignature}
              disabled={isFrozen}
              {...(variant.emptySignature && { emptyMessage: variant.emptySignature })}
            />
          </div>
        </Paper>

        <div ref={end} className={styles.end}>
          {/** Not `disabled`, because a disabled button loses the focus. */}
          <Button
            type="submit"
            size="lg"
            className={styles.submit}
            aria-disabled={isBusy || isProcessing || undefined}
            data-disabled={isBusy || isProcessing || undefined}
          >
            {isBusy ? 'Submitting...' : 'Submit Report'}
          </Button>
          <StatusLine status={isProcessing ? { kind: 'progress', text: PROCESSING_IMAGES } : status} />
          {sending && !draft.sent && <UploadProgress {...sending} />}
        </div>
      </DeferredContent>
    </form>
  );
}

const interruptedStatus: Status = {
  kind: 'error',
  text: 'The page closed before your report was confirmed.',
  hint: 'Submit it again. It will not be recorded twice.',
};

function describeSubmitted({ number, rejectedPhotos }: Extract<Outcome, { isSubmitted: true }>): string {
  const missing =
    rejectedPhotos.length > 0 ? ` Not added because they could not be read: ${rejectedPhotos.join(', ')}.` : '';
  return `Your report number is ${number}.${missing}`;
}

/** Enter moves to the next field, as phone keyboards suggest, instead of submitting. */
function focusNextOnEnter(event: KeyboardEvent<HTMLFormElement>) {
  const field = event.target;
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(field instanceof HTMLInputElement)) return;
  if (field.type === 'file' || field.form !== event.currentTarget) return;
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('input, select, textarea, button')];
  fields
    .slice(fields.indexOf(field) + 1)
    .find((next) => next.checkVisibility())
    ?.focus();
}
