import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { type AuditTextName, auditTextNames, auditTexts } from '#shared/audit-fields.ts';
import { type Folder, NewAudit } from '#shared/audits.ts';
import { limits, textLimits } from '#shared/choices.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { QueryState } from '../../client/QueryState.tsx';
import { useUser } from '../../client/session.ts';
import { withOfflineCopy } from '../../drafts/offlineCopies.ts';
import { StoredForm } from '../../outbox/StoredForm.tsx';
import { EarlierOutcome, SubmissionOutcome } from '../../outbox/SubmissionOutcome.tsx';
import { type OutboxFormProps, useOutboxForm } from '../../outbox/useOutboxForm.ts';
import { PeoplePicker } from '../../people/PeoplePicker.tsx';
import { refuseName } from '../../people/refuseName.ts';
import { PhotoField } from '../../photos/PhotoField.tsx';
import { cancelPreparation } from '../../photos/preparing.ts';
import type { Status } from '../../ui/feedback/StatusLine.tsx';
import { bindFields } from '../../ui/forms/bindFields.ts';
import { DateField, TimeField } from '../../ui/forms/DateField.tsx';
import { getFieldErrors } from '../../ui/forms/fieldErrors.ts';
import { BackButton } from '../../ui/navigation/BackButton.tsx';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { AuditTextField } from '../AuditTextField.tsx';
import { getAuditStatus, toAuditErrors } from '../auditStatus.ts';
import { AuditReceipt } from './AuditReceipt.tsx';
import {
  type AuditDraft,
  createAuditDraft,
  createAuditSubmission,
  getCreationFormName,
  readAuditSubmission,
  toNewAudit,
} from './auditDraft.ts';
import styles from './newAudit.module.css';

export function CreateAuditPage() {
  const { folderId = '' } = useParams();
  // Remount for each folder, because the state and the draft belong to one folder.
  return <CreateAudit key={folderId} folderId={folderId} />;
}

function CreateAudit({ folderId }: { folderId: string }) {
  const folder = useQuery(withOfflineCopy('user', queryFor(api.getFolder, { params: { id: folderId } })));

  const failed = 'Could not load folder information';
  if (!folder.data)
    return (
      <QueryState
        query={folder}
        failed={failed}
        notFound={failed}
        shape="fields"
        back={<BackButton to="/audits">Back to Folders</BackButton>}
      />
    );
  return (
    <>
      <PageHeading title={`Create New Audit in ${folder.data.name}`} park={folder.data.park} />
      <StoredForm
        form={getCreationFormName(folderId)}
        complete={(stored) => ({ ...createAuditDraft(), ...stored })}
        read={readAuditSubmission}
      >
        {(props) => <CreateAuditForm folder={folder.data} {...props} />}
      </StoredForm>
    </>
  );
}

function CreateAuditForm({ folder, ...props }: OutboxFormProps<AuditDraft> & { folder: Folder }) {
  const showName = useNames();
  const [, navigate] = useLocation();
  const user = useUser();
  const form = useOutboxForm<AuditDraft>(props, {
    describe: getAuditStatus,
    check(draft) {
      const verifier = draft.isVerified && refuseName(draft.verifier, folder.park);
      return { ...getFieldErrors(NewAudit, toNewAudit(folder.id, draft)), ...(verifier && { verifier }) };
    },
    toSubmission: (draft, id) => createAuditSubmission(folder, draft, id, user),
    listRelated: (change) => ('verifyDays' in change ? ['verification.days'] : []),
    // An audit that waits for a connection leaves an empty form for the next one.
    getNext: (_, { phase }) => (phase === 'saved' ? createAuditDraft() : undefined),
    describeFailure: () => storageFull,
    explain: toAuditErrors,
  });
  const { outboxState, stored } = props;
  const { draft, isEnded, isFrozen, isPreparing } = form;
  const { field, checkbox } = bindFields(draft, form.errors, form.edit);
  const isCreated = form.state.name === 'done' && outboxState.submission.phase === 'sent';
  const receipt = (
    <AuditReceipt
      outboxState={outboxState}
      label="Created audit"
      another={isEnded && !isCreated ? 'Create Another' : undefined}
      onNext={() => form.startNext()}
    />
  );
  const folderPath = `/audit-folders/${folder.id}`;

  const leavePage = useEffectEvent(() => {
    outboxState.leave();
    navigate(folderPath, { replace: true });
  });
  useEffect(() => {
    if (!isCreated) return;
    const timer = setTimeout(leavePage, limits.feedbackMs);
    return () => clearTimeout(timer);
  }, [isCreated]);

  const discard = () => {
    cancelPreparation(stored.key);
    void stored.delete();
  };

  const renderTexts = (names: AuditTextName[]) =>
    names.map((name) => (
      <AuditTextField
        key={name}
        {...field(name)}
        name={name}
        {...(name === 'assignee' && { label: 'Person who should complete this job' })}
        park={folder.park}
        rows={4}
      />
    ));

  return (
    <form {...form.props} className={styles.form}>
      <EarlierOutcome form={form} label="Last audit">
        {receipt}
      </EarlierOutcome>
      {!isEnded && (
        <fieldset className={styles.fields} disabled={isFrozen}>
          <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} />
          {renderTexts(lineNames)}
          <div className={styles.pair}>
            <DateField {...field('date')} label="Date" />
            <TimeField {...field('time')} label="Time" />
          </div>
          <div className="stack">
            <Checkbox {...checkbox('is_urgent')} label="Urgent?" />
            <Checkbox
              {...checkbox('completed')}
              label="Mark as already completed"
              description={`It will be recorded as completed by ${showName(user.username)}.`}
            />
            <Checkbox
              {...checkbox('isVerified')}
              label="Someone else verifies it"
              description="After it is completed, someone who did not do the work says whether it was put right."
            />
          </div>
          {draft.isVerified && (
            <div className={styles.pair}>
              <TextInput
                {...field('verifyDays')}
                label="Days until it is verified"
                description="From its completion"
                inputMode="numeric"
                error={form.errors['verification.days']}
              />
              <PeoplePicker
                {...field('verifier')}
                label="Person who should verify it"
                usersOnly
                description="Leave it empty for anyone who did not do the work"
                park={folder.park}
              />
            </div>
          )}
          {renderTexts(otherNames)}
          <PhotoField
            {...field('photos')}
            // A new key also clears the messages about the photos.
            key={form.resetCount}
            label="Upload Files"
            use="audit"
            form={stored.key}
            disabled={isFrozen}
          />
        </fieldset>
      )}
      <SubmissionOutcome form={form}>{isEnded && receipt}</SubmissionOutcome>
      {isEnded ? (
        <BackButton to={folderPath}>Back to Folder</BackButton>
      ) : (
        <Group>
          <Button type="submit" loading={form.state.name === 'sending'} disabled={isPreparing}>
            Create Audit
          </Button>
          <Button variant="default" component={Link} to={folderPath} onClick={discard}>
            Cancel
          </Button>
        </Group>
      )}
    </form>
  );
}

const lineNames = auditTextNames.filter((name) => auditTexts[name].kind === 'line');
const otherNames = auditTextNames.filter((name) => !lineNames.includes(name));

const storageFull: Status = {
  kind: 'error',
  text: 'This audit could not be saved: there is no room on this device.',
  hint: 'Everything you entered is still here. Create it again when you are back online.',
};
