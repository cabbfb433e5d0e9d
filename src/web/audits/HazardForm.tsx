import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { api } from '#shared/api.ts';
import { NewAudit } from '#shared/audits.ts';
import { parks, textLimits } from '#shared/choices.ts';
import { hazardKinds, isUrgentKind, nearlyHurtLabel } from '#shared/hazards.ts';
import type { Place } from '#shared/places.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { EarlierOutcome, Outcome } from '../outbox/Outcome.tsx';
import { submit } from '../outbox/outbox.ts';
import { useOutboxForm } from '../outbox/useOutboxForm.ts';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { LocationInput } from '../parks/LocationInput.tsx';
import { useGivenPlace } from '../parks/places.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { bindFields } from '../ui/forms/bindFields.ts';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { getHazardStatus, getPhotoError } from './auditStatus.ts';
import styles from './CreateAuditForm.module.css';
import { createHazardDraft, createSubmission, type HazardDraft, toNewHazard } from './hazardDraft.ts';

type HazardFormProps = {
  initialValues: HazardDraft;
  /** The outbox item with these values, if they were submitted. */
  submittedItemId: string | undefined;
  draftName: string;
  outboxState: ReturnType<typeof useSubmission>;
  onReload: () => void;
};

export function HazardForm({ initialValues, submittedItemId, draftName, outboxState, onReload }: HazardFormProps) {
  const user = useUser();
  const stored = useMemo(() => createDraft<HazardDraft>(user.id, draftName), [user.id, draftName]);
  const [draft, setDraft] = useState(initialValues);
  const { submission } = outboxState;
  const form = useOutboxForm({
    name: stored.key,
    outboxState,
    startItemId: submittedItemId,
    describe: () => getHazardStatus(submission),
    keepsEarlier: true,
    photoNames: [stored.key],
    check: () => checkHazard(draft),
    isAboutPhotos: (field) => field === 'photos',
    describeErrors: (errors) => ({ kind: 'error', text: Object.values(errors)[0] ?? '' }),
    async store(refused) {
      stored.stop();
      const submitted = createSubmission(draft, user, refused?.id);
      const { isStored } = await submit(submitted, { drafts: stored.keys, replaces: refused?.id });
      // The draft is kept until the server has received it.
      if (!isStored) stored.save({ ...draft, key: submitted.id });
      return submitted.id;
    },
    describeFailure() {
      stored.save(draft);
      return storageFullStatus;
    },
    explain(item, error) {
      const photos = getPhotoError(item, error) || error.fields.media_files;
      return { errors: { ...error.fields, ...(photos && { photos }) } };
    },
    onDone() {
      setDraft({ ...createHazardDraft(user), park: draft.park });
      form.startNext();
    },
    onReload,
  });
  const { isFrozen } = form;

  const place = useGivenPlace();
  const fillInPlace = useEffectEvent(({ park, name }: Place) => {
    if (draft.location === '' && !form.isSubmitted) setDraft({ ...draft, park, location: name });
  });
  useEffect(() => {
    if (place) fillInPlace(place);
  }, [place]);

  const edit = (change: Partial<HazardDraft>) => {
    const next = { ...draft, ...change, ...form.sentKey };
    setDraft(next);
    // Input survives a reload.
    stored.save(next);
    form.setNotice(undefined);
    // Any of these is enough.
    form.touch(...Object.keys(change), ...('kind' in change || 'photos' in change ? ['description'] : []));
  };
  const { field, checkbox } = bindFields(draft, form.errors, edit);

  return (
    <form {...form.props} className={styles.form}>
      <EarlierOutcome form={form} label="Last hazard" />
      <fieldset className={styles.fields} disabled={isFrozen}>
        <FieldGroup label="What is it?">
          <div className={styles.kinds}>
            {hazardKinds.map((kind) => (
              <Button
                key={kind}
                size="lg"
                variant={draft.kind === kind ? 'filled' : 'default'}
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
            data={[{ value: '', label: 'Please choose' }, ...(user.parks ?? parks)]}
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
          form={stored.key}
          disabled={isFrozen}
        />
        <Checkbox {...checkbox('wasNearlyHurt')} label={nearlyHurtLabel} />
      </fieldset>
      <Outcome form={form} />
      <Button type="submit" size="lg" loading={form.isSending} disabled={form.isPreparing}>
        Send
      </Button>
    </form>
  );
}

function UrgentNotice({ park }: { park: string }) {
  const { data = [] } = useQuery(withOfflineCopy('user', queryFor(api.listParkNumbers)));
  const telephone = data.find((one) => one.park === park)?.telephone;
  return (
    <p className={styles.urgent}>
      Make it safe first, then ring{' '}
      {telephone ? <a href={`tel:${telephone.replace(/[^\d+]/g, '')}`}>{telephone}</a> : 'your manager or reception'}.
      In an emergency ring <a href="tel:999">999</a>.
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

const storageFullStatus: Status = {
  kind: 'error',
  text: 'This hazard could not be saved: there is no room on this device.',
  hint: 'Everything you entered is still here. Send it again when you are back online.',
};
