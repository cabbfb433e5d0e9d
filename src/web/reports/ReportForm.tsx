// The one form behind all four: what differs is in variants.ts.
import { Button, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import type { ReportFieldName } from '#shared/report-fields.ts';
import { queryFor } from '../client/api.ts';
import { saveReporter } from '../client/lastReporter.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { useTabLock } from '../drafts/useTabLock.ts';
import { submit } from '../outbox/outbox.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { useEarlierSubmission } from '../outbox/useEarlierSubmission.ts';
import { getFormState, useSubmission } from '../outbox/useSubmission.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import { hasProblems, PROCESSING_IMAGES, setProblems, useIsPreparing } from '../photos/preparing.ts';
import { SignatureField } from '../signature/SignatureField.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, removeErrors } from '../ui/forms/fieldErrors.ts';
import { PrivacyNotice } from '../ui/forms/PrivacyNotice.tsx';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { checkReport, summarise } from './checkReport.ts';
import { MyReports } from './MyReports.tsx';
import { OpenInAnotherTab } from './OpenInAnotherTab.tsx';
import { ReportFields } from './ReportFields.tsx';
import styles from './ReportForm.module.css';
import { createSignatureFile, createSubmission, type ReportDraft } from './reportDraft.ts';
import { getReportStatus, storageFullStatus } from './reportStatus.ts';
import { SignedOutReportOffer } from './SignedOutReportOffer.tsx';
import { SubmittedReport } from './SubmittedReport.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import { useReportDraft, useStoredReport } from './useReportDraft.ts';
import type { Variant } from './variants.ts';

type ReportFormProps = {
  variant: Variant;
  /** The level of the section headings: one below the form's title. */
  headings?: 2 | 3;
};

export function ReportForm(props: ReportFormProps) {
  const { id } = useUser();
  const { isHeld, takeOver } = useTabLock(`report of ${id}: ${props.variant.id}`);
  if (isHeld === undefined) return <Loading shape="fields" />;
  return isHeld ? <DraftLoader {...props} /> : <OpenInAnotherTab onTakeOver={takeOver} />;
}

function DraftLoader(props: ReportFormProps) {
  const [loadCount, setLoadCount] = useState(0);
  useEffect(startOutbox, []);
  return (
    <>
      <SignedOutReportOffer
        key={`offer ${loadCount}`}
        form={props.variant.id}
        onClaimed={() => setLoadCount(loadCount + 1)}
      />
      <StoredForm key={loadCount} {...props} onReload={() => setLoadCount(loadCount + 1)} />
      <DeferredContent>
        <MyReports />
      </DeferredContent>
    </>
  );
}

type StoredFormProps = ReportFormProps & {
  /** Starts again with the stored draft. */
  onReload: () => void;
};

function StoredForm(props: StoredFormProps) {
  const user = useUser();
  const outboxState = useSubmission(props.variant.id);
  const stored = useStoredReport(props.variant.id, user, outboxState);
  return stored ? (
    <ReportFormBody key={stored.id} {...props} stored={stored} outboxState={outboxState} />
  ) : (
    <Loading shape="fields" />
  );
}

type OpenFormProps = StoredFormProps & {
  stored: NonNullable<ReturnType<typeof useStoredReport>>;
  outboxState: ReturnType<typeof useSubmission>;
};

function ReportFormBody({ variant, headings = 2, onReload, stored, outboxState }: OpenFormProps) {
  const user = useUser();
  const { submission } = outboxState;
  const { draft, name, isDateOld, keys, stop, change, prefill, clear } = useReportDraft(
    variant.id,
    user,
    submission,
    stored.draft,
    stored.initialValues !== undefined,
  );
  /** The outbox item with these values, if they were submitted. */
  const [itemId, setItemId] = useState(stored.itemId);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Status>();
  const isProcessing = useIsPreparing([name]);
  /** Whether the report is submitted once all photos are prepared. */
  const [isWaiting, setWaiting] = useState(false);
  const [isStoring, setStoring] = useState(false);
  const [resetCount, setResetCount] = useState(0);
  const [isReporterTouched, setReporterTouched] = useState(stored.initialValues !== undefined);
  const isSubmitting = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const statusArea = useRef<HTMLDivElement>(null);

  const { phase } = submission;
  const { isFromThisForm, isSending, isFrozen, isDone, isChangeable } = getFormState(submission, itemId, isStoring);
  const refusedId = phase === 'refused' ? submission.item.id : undefined;
  const { isEarlier, top } = useEarlierSubmission(submission);
  const isOver = phase === 'sent' || phase === 'saved';
  const outcome = getReportStatus(submission, variant);
  const processing: Status = { kind: 'progress', text: PROCESSING_IMAGES, ...(isWaiting && { hint: waitingText }) };
  const status = isProcessing ? processing : (notice ?? (isEarlier ? undefined : outcome));

  /** Scroll to the status, unless focus moves to a field error. */
  const showStatus = useEffectEvent(() => {
    const target = status === undefined ? top : statusArea;
    if (Object.keys(errors).length === 0) target.current?.scrollIntoView({ block: 'nearest' });
  });
  const shownStatus = status ?? outcome;
  const statusKey = shownStatus && `${shownStatus.kind} ${shownStatus.text}`;
  const previousStatus = useRef(statusKey);
  useEffect(() => {
    if (statusKey && statusKey !== previousStatus.current) showStatus();
    previousStatus.current = statusKey;
  }, [statusKey]);

  const clearForm = useEffectEvent(() => {
    clear();
    setReporterTouched(false);
    setProblems(name, []);
    setErrors({});
    setItemId(undefined);
    setResetCount(resetCount + 1);
  });
  useEffect(() => {
    if (isDone) clearForm();
  }, [isDone]);

  const showRejection = useEffectEvent(() => {
    if (phase !== 'refused') return;
    // The report had waited on the device, so its values are no longer in the fields: load them
    // again.
    if (!isFromThisForm) return onReload();
    const { fields } = submission.error;
    setErrors(fields);
    if (Object.keys(fields).length > 0 && form.current) focusFirstError(form.current);
  });
  useEffect(() => {
    if (refusedId) showRejection();
  }, [refusedId]);

  // Stored per account, so that other devices have it too. A field that was touched is never filled in.
  const isReporterUnknown =
    !isReporterTouched && draft.values.reporter === '' && itemId === undefined && user.id !== signedOutUserId;
  const { data: last } = useQuery({
    ...queryFor(api.getLastReporter),
    enabled: isReporterUnknown,
    staleTime: Infinity,
  });
  const suggestReporter = useEffectEvent((name: string) => {
    if (!isReporterUnknown) return;
    saveReporter(user.id, name);
    prefill({ reporter: name });
  });
  useEffect(() => {
    if (last?.name) suggestReporter(last.name);
  }, [last]);

  /**
   * A corrected field loses its error at once, and the status of the previous report is cleared.
   */
  const edit = (changes: Partial<ReportDraft>, ...names: string[]) => {
    // The server stores a report only once per id, even if an earlier attempt succeeded.
    change(isChangeable ? { ...changes, key: submission.item?.id } : changes);
    if (isChangeable) outboxState.withdraw();
    setErrors((errors) => removeErrors(errors, ...names));
    if (!isFromThisForm && phase !== 'none' && !isEarlier) outboxState.leave();
  };

  const send = async () => {
    if (!isFromThisForm && phase !== 'none') outboxState.leave();
    isSubmitting.current = true;
    setStoring(true);
    setNotice(undefined);
    stop();
    try {
      const submitted = createSubmission(variant, draft, user, refusedId);
      const { isStored } = await submit(submitted, { drafts: keys, replaces: refusedId });
      // The draft is kept until the server has received it; the server stores a report only once
      // per id.
      if (!isStored) change({ key: submitted.id });
      saveReporter(user.id, draft.values.reporter);
      setItemId(submitted.id);
    } catch {
      change({});
      setNotice(storageFullStatus);
    }
    isSubmitting.current = false;
    setStoring(false);
  };

  // The first release stored reports that it had sent without a response. Such a report was already
  // submitted by its user, so it is sent without asking.
  const resubmitInterrupted = useEffectEvent(() => {
    if (draft.sent !== undefined && phase === 'none') void send();
  });
  useEffect(() => resubmitInterrupted(), []);

  const checkAndSend = () => {
    const allErrors = checkReport(draft, variant);
    const { mediaFiles: _, ...otherErrors } = allErrors;
    const foundErrors: FieldErrors = isProcessing ? otherErrors : allErrors;
    const summary = summarise(foundErrors, draft, variant);
    setErrors(foundErrors);
    if (summary) {
      setNotice({ kind: 'error', ...summary });
      if (form.current) focusFirstError(form.current);
    } else if (isProcessing) setWaiting(true);
    else void send();
  };

  const handleProcessing = useEffectEvent((isBusy: boolean) => {
    if (isBusy) return setNotice(undefined);
    if (!isWaiting) return;
    setWaiting(false);
    if (hasProblems([name])) setNotice(photoProblem);
    else checkAndSend();
  });
  useEffect(() => handleProcessing(isProcessing), [isProcessing]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React state would update a render too late for the second of two quick taps.
    if (isSubmitting.current || isWaiting || isSending) return;
    if (isFrozen) return outboxState.retry();
    checkAndSend();
  };

  const startNext = () => {
    outboxState.leave();
    // Input for the next report stays.
    if (isFromThisForm) clearForm();
    setNotice(undefined);
    form.current?.scrollIntoView();
    form.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  };

  const heading = { order: headings, size: 'h4' } as const;
  const details = (
    <>
      {phase === 'sending' && submission.progress.total > 0 && <UploadProgress {...submission.progress} />}
      {isOver && <SubmittedReport {...submission} onNext={startNext} />}
      {isFromThisForm && (phase === 'refused' || (phase === 'retrying' && submission.isStored)) && (
        <Button variant="subtle" onClick={startNext}>
          Report Another
        </Button>
      )}
    </>
  );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={focusNextOnEnter}
      aria-label={variant.title}
      className={styles.form}
    >
      <section ref={top} tabIndex={-1} aria-label="Last report" className={styles.earlier} hidden={!isEarlier}>
        <StatusLine hasOneColour status={isEarlier ? outcome : undefined} />
        {isEarlier && details}
      </section>
      <p className={styles.note}>
        Please fill in all fields. What you enter is kept on this device until it is sent. <PrivacyNotice />
      </p>

      <ReportFields
        variant={variant}
        values={draft.values}
        errors={errors}
        heading={heading}
        isDateOld={isDateOld}
        isDisabled={isFrozen}
        onTouched={(name) => name === 'reporter' && setReporterTouched(true)}
        onChange={(name, text) =>
          edit({ values: { ...draft.values, [name]: text } }, name, ...listSignatureFields(draft, name))
        }
      />

      <DeferredContent>
        <Paper component="section" className={styles.section}>
          <Title {...heading}>Photos</Title>
          <PhotoField
            // A new key also clears the messages about the photos.
            key={resetCount}
            label="Photos of what happened"
            description="At least one image is required."
            photos={draft.photos}
            onChange={(photos) => edit({ photos }, 'mediaFiles')}
            form={name}
            error={errors.mediaFiles}
            disabled={isFrozen}
          />
        </Paper>

        <Paper component="section" className={styles.section}>
          <Title {...heading}>Signatures</Title>
          <div className={styles.pair}>
            <SignatureField
              label={variant.signatureLabel}
              requestedSigner={{ role: 'Person completing the form', name: draft.values.reporter }}
              description="Of the person completing this form"
              value={draft.signature}
              onChange={(signature) => edit({ signature: createSignatureFile('signature', signature) }, 'signature')}
              error={errors.signature}
              disabled={isFrozen}
              {...(variant.emptySignature && { emptyMessage: variant.emptySignature })}
            />
            <SignatureField
              label="Affected party signature"
              requestedSigner={{ role: variant.personLabel, name: draft.values.name }}
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

        <div ref={statusArea} className={styles.end}>
          {/* Hidden at the end of a report; the first input for the next one shows it again. */}
          {(!isOver || isEarlier) && (
            <Button
              type="submit"
              size="lg"
              className={styles.submit}
              // Not disabled, because a disabled button loses the focus.
              aria-disabled={isSending || isWaiting || undefined}
              data-disabled={isSending || isWaiting || undefined}
            >
              {isSending || isWaiting ? 'Submitting...' : 'Submit Report'}
            </Button>
          )}
          <StatusLine hasOneColour status={status} />
          {!isEarlier && details}
        </div>
      </DeferredContent>
    </form>
  );
}

/** Clears the signature's error, which may have been about the name. */
function listSignatureFields(draft: ReportDraft, name: ReportFieldName): string[] {
  if (name === 'reporter' && draft.signature) return ['signature'];
  return name === 'name' && draft.affectedUserSignature ? ['affectedUserSignature'] : [];
}

const waitingText = 'The report is submitted when they are ready. Stay on this screen.';
const photoProblem: Status = {
  kind: 'error',
  text: 'The report was not submitted: a photo could not be added.',
  hint: 'Check your photos, then submit again.',
};

/**
 * Enter moves to the next field, as a phone's keyboard suggests, and does not submit an unfinished
 * report.
 */
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
