// One access request: every record that names the person, and the decision about each.
import { Button, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { type EndpointInput, endpointUrl } from '#shared/client.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import type { AccessRequestHits, AccessRequestWithChoices, Choice, Hit } from '#shared/people/access-requests.ts';
import { getServerTime, queryClient, queryFor } from '../client/api.ts';
import { getBaseVersion, sendChange } from '../client/sendChange.ts';
import { useSave } from '../client/useSave.ts';
import { formNames } from '../formNames.ts';
import { StaleButtons } from '../forms/StaleButtons.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import rows from '../ui/theme/rows.module.css';
import { AllRecords } from './AllRecords.tsx';
import type { Choices } from './accessChoices.ts';
import { EraseNameForm } from './EraseNameForm.tsx';
import { HitChoice } from './HitChoice.tsx';
import styles from './records.module.css';

export function AccessChoices({ id, onBack }: { id: string; onBack: () => void }) {
  const params = { id };
  // Collecting reads all records, so it runs again only on request.
  const accessRequest = useQuery({
    ...queryFor(api.getAccessRequest, { params }),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <div className={styles.panel}>
      <div>
        <Button variant="subtle" leftSection={<ArrowLeft aria-hidden size={18} />} onClick={onBack}>
          All Access Requests
        </Button>
      </div>
      {accessRequest.isPending && <Loading text="Searching every record..." shape="rows" />}
      {accessRequest.isError && !accessRequest.data && (
        <ErrorBox
          message="The records could not be collected."
          reason={accessRequest.error.message}
          onRetry={() => accessRequest.refetch()}
        />
      )}
      {accessRequest.data && (
        <RecordChoices accessRequest={accessRequest.data} isCollecting={accessRequest.isFetching} />
      )}
    </div>
  );
}

type Body = EndpointInput<typeof api.saveAccessChoices>['body'];

/** The choices changed since this version. */
type Edits = { version: number; choices: Choices };

type ChoicesVariables = { body: Body; edits: Edits | undefined };

const show = (saved: AccessRequestWithChoices) =>
  queryClient.setQueryData(
    queryFor(api.getAccessRequest, { params: { id: saved.id } }).queryKey,
    (before) => before && { ...before, ...saved },
  );

function RecordChoices({ accessRequest, isCollecting }: { accessRequest: AccessRequestHits; isCollecting: boolean }) {
  const { id } = accessRequest;
  const input = useTypedInput<{ edits: Edits | undefined }>(formNames.accessChoices(id), { edits: undefined });
  const extension = useTypedInput(formNames.accessExtension(id), { because: '' });
  const [status, setStatus] = useState<Status>();
  const { edits } = input.values;
  const saving = useSave<ChoicesVariables, AccessRequestWithChoices>(formNames.accessChoices(id).name, {
    send: ({ body }) => sendChange(api.saveAccessChoices, { params: { id }, body }),
    onSaved(saved, { body, edits: sentEdits }) {
      show(saved);
      // Choices made while the others were sent are kept.
      if (edits && edits !== sentEdits) input.set({ edits: { ...edits, version: saved.version } });
      else input.clear();
      if (body.extendedBecause !== undefined) extension.clear();
      setStatus({ kind: 'success', text: 'Saved' });
    },
    onFailed({ message }, _, newer) {
      if (newer) show(newer as AccessRequestWithChoices);
      setStatus({ kind: 'error', text: message || 'This could not be saved. Please try again.' });
    },
  });
  const isBusy = saving.isSaving || isCollecting;
  const isChanged = edits !== undefined;
  const { baseVersion, isStale } = getBaseVersion({ id }, accessRequest, edits?.version);
  const choices: Choices = {
    ...Object.fromEntries(accessRequest.choices.map((choice) => [choice.id, choice])),
    ...edits?.choices,
  };

  const choose = (chosen: Choice[]) => {
    setStatus(undefined);
    const changed = Object.fromEntries(chosen.map((choice) => [choice.id, choice]));
    input.set({ edits: { version: baseVersion, choices: { ...edits?.choices, ...changed } } });
  };
  const today = getToday(new Date(getServerTime()));
  const certainHits = accessRequest.hits.filter(({ isPossible }) => !isPossible);
  const possibleHits = accessRequest.hits.filter(({ isPossible }) => isPossible);
  const undecidedCertainCount = certainHits.filter(({ id }) => !choices[id]).length;

  const submit = (changes: Omit<Partial<Body>, 'choices'> = {}) => {
    const unexplainedChoice = Object.values(choices).find(
      ({ choice, because }) => choice === 'leave' && !because?.trim(),
    );
    const hit = unexplainedChoice && accessRequest.hits.find(({ id }) => id === unexplainedChoice.id);
    if (hit) return setStatus({ kind: 'error', text: `Say why ${hit.label} is left out` });
    setStatus(undefined);
    saving.save({ body: { version: baseVersion, choices: Object.values(choices), ...changes }, edits });
  };
  const discardEdits = () => {
    input.clear();
    saving.dismiss();
    setStatus(undefined);
  };

  const takeOver = input.takeOver ?? extension.takeOver;
  if (takeOver) return <OpenInAnotherTab onTakeOver={takeOver} />;
  const renderHits = (hits: Hit[]) => (
    <ul className={`${rows.list} ${styles.hits}`}>
      {hits.map((hit) => (
        <li key={hit.id} className={`${rows.row} ${styles.hit}`}>
          <HitChoice hit={hit} choice={choices[hit.id]} onChoose={(choice) => choose([choice])} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <div>
        <Title order={2} size="h3">
          {accessRequest.name}
        </Title>
        <Text fw={accessRequest.isUrgent ? 600 : undefined}>{accessRequest.words}</Text>
        <Text size="sm" c="dimmed">
          Received {formatDay(accessRequest.received_on)}.{' '}
          {accessRequest.identity_checked
            ? `Identity: ${accessRequest.identity_checked}.`
            : 'No identity check is recorded.'}{' '}
          {accessRequest.extended_because && `Extended by two months: ${accessRequest.extended_because}.`}
        </Text>
      </div>
      <Title order={3} size="h4">
        Records that name them: {certainHits.length}
      </Title>
      {accessRequest.hits.length > 0 && <AllRecords hits={accessRequest.hits} choices={choices} onChoose={choose} />}
      {renderHits(certainHits)}
      <Title order={3} size="h4">
        Records that may name someone else: {possibleHits.length}
      </Title>
      <Text size="sm">
        The name is spelled differently, or is beside another number. It is only sent if you choose Send.
      </Text>
      {renderHits(possibleHits)}
      <div className={styles.form}>
        <Text>
          {undecidedCertainCount === 0
            ? 'You have decided about every record that needs a decision.'
            : `${undecidedCertainCount} ${undecidedCertainCount === 1 ? 'record' : 'records'} left to decide about.`}
        </Text>
        <div className={rows.actions}>
          <Button onClick={() => submit()} loading={isBusy}>
            Save
          </Button>
          {isStale && (
            <StaleButtons
              what="Choices"
              isBusy={isBusy}
              onKeepMine={() => submit({ version: accessRequest.version })}
              onUseSaved={discardEdits}
            />
          )}
          <Button
            component="a"
            variant="default"
            href={endpointUrl(api.getAccessZip, { params: { id: accessRequest.id } })}
            data-disabled={undecidedCertainCount > 0 || isChanged || undefined}
            aria-disabled={undecidedCertainCount > 0 || isChanged || undefined}
            onClick={(event) => {
              if (undecidedCertainCount === 0 && !isChanged) return;
              event.preventDefault();
              setStatus({
                kind: 'error',
                text: isChanged
                  ? 'Save your choices first'
                  : `Decide about every record: ${undecidedCertainCount} left`,
              });
            }}
            download
          >
            Download the Copy
          </Button>
        </div>
        <StatusLine status={status} />
        {!accessRequest.extended_because && (
          <Textarea
            label="Why two more months are needed"
            description="Allowed once, for a large or difficult request. Tell the person within the first month."
            value={extension.values.because}
            maxLength={textLimits.reason}
            autosize
            minRows={1}
            onChange={({ currentTarget }) => extension.set({ because: currentTarget.value })}
          />
        )}
        <div className={rows.actions}>
          {!accessRequest.extended_because && (
            <Button
              variant="default"
              disabled={isBusy || extension.values.because.trim() === ''}
              onClick={() => submit({ extendedBecause: extension.values.because })}
            >
              Extend the Deadline
            </Button>
          )}
          {accessRequest.paused_on ? (
            <Button variant="default" disabled={isBusy} onClick={() => submit({ pausedOn: null })}>
              Resume the Deadline
            </Button>
          ) : (
            <Button variant="default" disabled={isBusy} onClick={() => submit({ pausedOn: today })}>
              Pause the Deadline
            </Button>
          )}
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => submit({ isClosed: accessRequest.closed_on === null })}
          >
            {accessRequest.closed_on === null ? 'Mark as Answered' : 'Reopen'}
          </Button>
        </div>
      </div>
      <EraseNameForm accessRequest={accessRequest} />
    </>
  );
}
