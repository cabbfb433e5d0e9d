import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffectEvent, useLayoutEffect } from 'react';
import { api } from '#shared/api.ts';
import { NewAudit } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import { hazardKinds, isUrgentKind, nearlyHurtLabel } from '#shared/places/hazards.ts';
import type { Place } from '#shared/places/places.ts';
import { getTelephoneUri } from '#shared/telephone.ts';
import { queryFor } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { withOfflineCopy } from '../../drafts/offlineCopies.ts';
import { StoredForm } from '../../outbox/StoredForm.tsx';
import { EarlierOutcome, SubmissionOutcome } from '../../outbox/SubmissionOutcome.tsx';
import { type OutboxFormProps, useOutboxForm } from '../../outbox/useOutboxForm.ts';
import { LocationInput } from '../../parks/LocationInput.tsx';
import { usePlaceInUrl } from '../../parks/usePlaces.ts';
import { PhotoField } from '../../photos/PhotoField.tsx';
import type { Status } from '../../ui/feedback/StatusLine.tsx';
import { bindFields } from '../../ui/forms/bindFields.ts';
import { FieldGroup } from '../../ui/forms/FieldGroup.tsx';
import { getFieldErrors } from '../../ui/forms/fieldErrors.ts';
import { listFormParks } from '../../ui/forms/parkChoices.ts';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { getHazardStatus, toAuditErrors } from '../auditStatus.ts';
import { AuditReceipt } from './AuditReceipt.tsx';
import {
  createHazardDraft,
  createHazardSubmission,
  type HazardDraft,
  hazardForm,
  readHazardSubmission,
  toNewHazard,
} from './hazardDraft.ts';
import styles from './newAudit.module.css';

export function ReportHazardPage() {
  const user = useUser();
  return (
    <>
      <PageHeading
        title="Report a Hazard or Near Miss"
        text="Something dangerous, before someone is hurt. Your name is sent with it."
      />
      <StoredForm
        form={hazardForm}
        complete={(stored) => ({ ...createHazardDraft(user), ...stored })}
        read={readHazardSubmission}
      >
        {(props) => <HazardForm {...props} />}
      </StoredForm>
    </>
  );
}

function HazardForm(props: OutboxFormProps<HazardDraft>) {
  const user = useUser();
  const form = useOutboxForm<HazardDraft>(props, {
    describe: getHazardStatus,
    check: checkHazard,
    toSubmission: (draft, id) => createHazardSubmission(draft, id, user),
    // A kind or a photo is enough instead of a description.
    listRelated: (change) => ('kind' in change || 'photos' in change ? ['description'] : []),
    getNext: ({ park }) => ({ ...createHazardDraft(user), park }),
    describeFailure: () => storageFull,
    explain: toAuditErrors,
  });
  const { draft, edit, isEnded, isFrozen } = form;
  const { field, checkbox } = bindFields(draft, form.errors, edit);
  const receipt = (
    <AuditReceipt
      {...props}
      label="Reported hazard"
      another={isEnded ? 'Report Another' : undefined}
      onNext={() => form.startNext()}
    />
  );

  const place = usePlaceInUrl();
  const fillInPlace = useEffectEvent(({ park, name }: Place) => {
    if (draft.location === '' && !form.isSubmitted) form.prefill((latest) => ({ ...latest, park, location: name }));
  });
  // A layout effect, because typing before the place is on the screen would overwrite it.
  useLayoutEffect(() => {
    if (place) fillInPlace(place);
  }, [place]);

  return (
    <form {...form.props} className={styles.form}>
      <EarlierOutcome form={form} label="Last hazard">
        {receipt}
      </EarlierOutcome>
      {!isEnded && (
        <fieldset className={styles.fields} disabled={isFrozen}>
          <FieldGroup label="What is it?">
            <div className={styles.kinds}>
              {hazardKinds.map((kind) => (
                <Button
                  key={kind}
                  size="lg"
                  variant="default"
                  aria-pressed={draft.kind === kind}
                  onClick={() => edit({ kind: draft.kind === kind ? undefined : kind })}
                >
                  {kind}
                </Button>
              ))}
            </div>
          </FieldGroup>
          <div role="status">{isUrgentKind(draft.kind) && <UrgentNotice park={draft.park} />}</div>
          {user.parks?.length !== 1 && (
            <NativeSelect
              {...field('park')}
              label="Park"
              data={[{ value: '', label: 'Please choose' }, ...listFormParks(user, draft.park)]}
            />
          )}
          <LocationInput {...field('location')} label="Where is it?" park={draft.park} maxLength={textLimits.line} />
          <Textarea
            {...field('description')}
            label="What is wrong? (optional)"
            rows={3}
            maxLength={textLimits.description}
          />
          <PhotoField
            {...field('photos')}
            // A new key also clears the messages about the photos.
            key={form.resetCount}
            label="Photos (optional)"
            form={form.props.name}
            disabled={isFrozen}
          />
          <Checkbox {...checkbox('wasNearlyHurt')} label={nearlyHurtLabel} />
        </fieldset>
      )}
      <SubmissionOutcome form={form}>{isEnded && receipt}</SubmissionOutcome>
      {!isEnded && (
        <Button type="submit" size="lg" loading={form.state.name === 'sending'} disabled={form.isPreparing}>
          Send
        </Button>
      )}
    </form>
  );
}

function UrgentNotice({ park }: { park: string }) {
  const { data = [] } = useQuery(withOfflineCopy('user', queryFor(api.listParkNumbers)));
  const telephone = data.find((one) => one.park === park)?.telephone;
  return (
    <p className={styles.urgent}>
      In an emergency, get people away and ring <a href="tel:999">999</a>. Otherwise make it safe, then ring{' '}
      {telephone ? <a href={getTelephoneUri(telephone)}>{telephone}</a> : 'your manager or reception'}.
    </p>
  );
}

function checkHazard(draft: HazardDraft) {
  // A prepared photo counts, although it has no path yet.
  const hasPhoto = draft.photos.length > 0;
  const { description, ...errors } = getFieldErrors(NewAudit, toNewHazard(draft));
  const found: Record<string, string> = {};
  for (const [name, message] of Object.entries(errors)) found[name.replace('hazard.', '')] = message;
  return { ...found, ...(description && !hasPhoto && { description }) };
}

const storageFull: Status = {
  kind: 'error',
  text: 'This hazard could not be saved: there is no room on this device.',
  hint: 'Everything you entered is still here. Send it again when you are back online.',
};
