// The form for all four variants of a report, whose differences are in variants.ts.
import { Button, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import type { Message } from '#shared/places/messages.ts';
import type { Place } from '#shared/places/places.ts';
import type { ReportFieldName } from '#shared/reports/report-fields.ts';
import { queryFor } from '../client/api.ts';
import { saveReporter } from '../client/lastReporter.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { isSubmitting } from '../outbox/outboxFormState.ts';
import { StoredForm } from '../outbox/StoredForm.tsx';
import { EarlierOutcome, SubmissionOutcome } from '../outbox/SubmissionOutcome.tsx';
import { SubmissionReceipt } from '../outbox/SubmissionReceipt.tsx';
import { type OutboxFormProps, useOutboxForm } from '../outbox/useOutboxForm.ts';
import { usePlaceInUrl } from '../parks/usePlaces.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import { SignatureField } from '../signature/SignatureField.tsx';
import { PrivacyNotice } from '../ui/forms/PrivacyNotice.tsx';
import { useToday } from '../ui/forms/useToday.ts';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { checkReport, summariseErrors } from './checkReport.ts';
import { MessageNote, useMessageInUrl } from './MessageNote.tsx';
import { MyReports } from './MyReports.tsx';
import { ReportFields } from './ReportFields.tsx';
import styles from './ReportForm.module.css';
import {
  completeReportDraft,
  createReportDraft,
  createReportSubmission,
  createSignatureFile,
  type ReportDraft,
  readReportSubmission,
} from './reportDraft.ts';
import { getReportStatus, storageFull } from './reportStatus.ts';
import { SignedOutReportOffer } from './SignedOutReportOffer.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import type { Variant } from './variants.ts';

type ReportFormProps = {
  variant: Variant;
  /** The level of the section headings: one below the form's title. */
  headings?: 2 | 3;
};

/** The form between an offer of a report started while signed out, and the user's own reports. */
export function ReportForm(props: ReportFormProps) {
  const user = useUser();
  const { id } = props.variant;
  return (
    <StoredForm form={id} complete={(stored) => completeReportDraft(user, stored)} read={readReportSubmission}>
      {(stored) => (
        <>
          <SignedOutReportOffer form={id} onClaimed={stored.onReload} />
          <ReportFormBody {...props} {...stored} />
          <DeferredContent>
            <MyReports />
          </DeferredContent>
        </>
      )}
    </StoredForm>
  );
}

function ReportFormBody({ variant, headings = 2, ...props }: ReportFormProps & OutboxFormProps<ReportDraft>) {
  const user = useUser();
  const { submission } = props.outboxState;
  const [isReporterTouched, setReporterTouched] = useState(props.isRestored);
  const statusArea = useRef<HTMLDivElement>(null);
  const outcome = getReportStatus(submission, variant);
  const form = useOutboxForm<ReportDraft>(props, {
    describe: () => outcome,
    waitingText,
    check: (draft) => checkReport(draft, variant),
    describeErrors(errors, draft) {
      const summary = summariseErrors(errors, draft, variant);
      return summary && { kind: 'error', ...summary };
    },
    toSubmission(draft, id) {
      saveReporter(user.id, draft.values.reporter);
      return createReportSubmission(variant, draft, user, id);
    },
    getNext: () => createReportDraft(user),
    describeFailure: () => storageFull,
  });
  const { draft, isTyped, prefill, edit, errors, status, isEarlier, isFrozen, isFromThisForm } = form;
  const isSending = isSubmitting(form.state);
  const { phase } = submission;
  const isOver = phase === 'sent' || phase === 'saved';

  /** Scroll to the status, unless focus moves to a field error. */
  const showStatus = useEffectEvent(() => {
    const target = status === undefined ? form.findElement()?.querySelector('section') : statusArea.current;
    if (Object.keys(errors).length === 0) target?.scrollIntoView({ block: 'nearest' });
  });
  const shownStatus = status ?? outcome;
  const statusKey = shownStatus && `${shownStatus.kind} ${shownStatus.text}`;
  const previousStatus = useRef(statusKey);
  useEffect(() => {
    if (statusKey && statusKey !== previousStatus.current) showStatus();
    previousStatus.current = statusKey;
  }, [statusKey]);

  const fillIn = (values: Partial<ReportDraft['values']>, others?: Partial<ReportDraft>) =>
    prefill((latest) => ({ ...latest, ...others, values: { ...latest.values, ...values } }));

  // Layout effects fill in values that arrive later: typing before they are on the screen would overwrite them.

  const today = useToday();
  const isGivenDateOld =
    draft.givenDate !== undefined && draft.values.date === draft.givenDate && draft.givenDate < today;
  const renewDate = useEffectEvent(() => {
    if (isGivenDateOld && !isTyped) fillIn({ date: today }, { givenDate: today });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new day
  useLayoutEffect(() => renewDate(), [today]);

  // Fills in the last reporter of the account, also on other devices, unless the field was touched.
  const isReporterUnknown =
    !isReporterTouched && draft.values.reporter === '' && !form.isSubmitted && user.id !== signedOutUserId;
  const { data: lastReporter } = useQuery({
    ...queryFor(api.getLastReporter),
    enabled: isReporterUnknown,
    staleTime: Infinity,
  });
  const suggestReporter = useEffectEvent((name: string) => {
    if (!isReporterUnknown) return;
    saveReporter(user.id, name);
    fillIn({ reporter: name });
  });
  useLayoutEffect(() => {
    if (lastReporter?.name) suggestReporter(lastReporter.name);
  }, [lastReporter]);

  const place = usePlaceInUrl();
  const fillInPlace = useEffectEvent(({ park, name }: Place) => {
    if (draft.values.location === '' && !form.isSubmitted) fillIn({ selectedPlace: park, location: name });
  });
  useLayoutEffect(() => {
    if (place) fillInPlace(place);
  }, [place]);

  const message = useMessageInUrl();
  const fillInMessage = useEffectEvent(({ id, isOpen, park, place, words, created_at }: Message) => {
    if (!isOpen || draft.values.location || draft.values.details || form.isSubmitted) return;
    const date = getToday(new Date(created_at));
    fillIn({ selectedPlace: park, location: place.name, details: words, date }, { message: id });
  });
  useLayoutEffect(() => {
    if (message) fillInMessage(message);
  }, [message]);

  const startNext = () => {
    // Input for the next report stays.
    if (isFromThisForm) form.clear(createReportDraft(user));
    form.startNext('input, select');
    form.findElement()?.scrollIntoView();
  };

  const heading = { order: headings, size: 'h4' } as const;
  const details = (
    <>
      {phase === 'sending' && submission.progress.total > 0 && <UploadProgress {...submission.progress} />}
      {isOver && (
        <SubmissionReceipt {...submission} label="Submitted report" another="Report Another" onNext={startNext} />
      )}
      {isFromThisForm && (phase === 'refused' || (phase === 'retrying' && submission.isStored)) && (
        <Button variant="subtle" onClick={startNext}>
          Report Another
        </Button>
      )}
    </>
  );
  return (
    <form {...form.props} onKeyDown={focusNextOnEnter} aria-label={variant.title} className={styles.form}>
      <EarlierOutcome form={form} label="Last report" hasOneColour>
        {details}
      </EarlierOutcome>
      <p className={styles.note}>
        Please fill in all fields. What you enter is kept on this device until it is sent. <PrivacyNotice />
      </p>

      <MessageNote linkedId={draft.message} messageInUrl={message} onChange={(id) => edit({ message: id })} />
      <ReportFields
        variant={variant}
        values={draft.values}
        errors={errors}
        heading={heading}
        isDateOld={isGivenDateOld && isTyped}
        isDisabled={isFrozen}
        onTouched={(name) => name === 'reporter' && setReporterTouched(true)}
        onChange={(name, text) =>
          edit(
            { values: { ...draft.values, [name]: text }, ...(name === 'date' && { givenDate: undefined }) },
            name,
            ...listSignatureFields(draft, name),
          )
        }
      />

      <DeferredContent>
        <Paper component="section" className={styles.section}>
          <Title {...heading}>Photos</Title>
          <PhotoField
            // A new key also clears the messages about the photos.
            key={form.resetCount}
            label="Photos of what happened"
            description="At least one image is required."
            value={draft.photos}
            onChange={(photos) => edit({ photos }, 'mediaFiles')}
            form={form.props.name}
            error={errors.mediaFiles}
            disabled={isFrozen}
          />
        </Paper>

        <Paper component="section" className={styles.section}>
          <Title {...heading}>Signatures</Title>
          <div className={styles.grid}>
            <SignatureField
              label={variant.signatureLabel}
              requestedSigner={{ role: 'Person completing the form', name: draft.values.reporter }}
              description="Of the person completing this form"
              value={draft.signature}
              onChange={(signature) => edit({ signature: createSignatureFile('signature', signature) })}
              error={errors.signature}
              disabled={isFrozen}
              emptyMessage={variant.emptySignature}
            />
            <SignatureField
              label="Affected party signature"
              requestedSigner={{ role: variant.personLabel, name: draft.values.name }}
              allowsSigningFor
              description={`Of the ${variant.personLabel.toLowerCase()}`}
              value={draft.affectedUserSignature}
              onChange={(signature) =>
                edit({ affectedUserSignature: createSignatureFile('affected-signature', signature) })
              }
              error={errors.affectedUserSignature}
              disabled={isFrozen}
              emptyMessage={variant.emptySignature}
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
              aria-disabled={isSending || undefined}
              data-disabled={isSending || undefined}
            >
              {isSending ? 'Submitting...' : 'Submit Report'}
            </Button>
          )}
          <SubmissionOutcome form={form} hasOneColour>
            {details}
          </SubmissionOutcome>
        </div>
      </DeferredContent>
    </form>
  );
}

/** Returns the signature whose error may be about this name, so that it is cleared with the name's. */
function listSignatureFields(draft: ReportDraft, name: ReportFieldName): string[] {
  if (name === 'reporter' && draft.signature) return ['signature'];
  return name === 'name' && draft.affectedUserSignature ? ['affectedUserSignature'] : [];
}

const waitingText = 'The report is submitted when they are ready. Stay on this screen.';
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
