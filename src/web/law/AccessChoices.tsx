// One access request: every record that names the person, and the decision about each.
import { Button, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import type { AccessRequestHits, Choice, Hit } from '#shared/law/access-requests.ts';
import { getServerTime, mutationFor, queryFor } from '../client/api.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import rows from '../ui/theme/rows.module.css';
import { EraseNameForm } from './EraseNameForm.tsx';
import { HitChoice } from './HitChoice.tsx';
import styles from './records.module.css';

export function AccessChoices({ id, onBack }: { id: string; onBack: () => void }) {
  const params = { id };
  // Gathering reads all records, so it runs again only on request.
  const accessRequest = useQuery({ ...queryFor(api.getAccessRequest, { params }), refetchOnWindowFocus: false });
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
      {accessRequest.data && <RecordChoices key={accessRequest.data.version} accessRequest={accessRequest.data} />}
    </div>
  );
}

function RecordChoices({ accessRequest }: { accessRequest: AccessRequestHits }) {
  const save = useMutation(mutationFor(api.saveAccessChoices));
  const [choices, setChoices] = useState<Record<string, Choice>>(() =>
    Object.fromEntries(accessRequest.choices.map((choice) => [choice.id, choice])),
  );
  const [extendedBecause, setExtendedBecause] = useState('');
  const [isChanged, setChanged] = useState(false);
  const [status, setStatus] = useState<Status>();
  useAskBeforeLeaving(isChanged);

  const setChoice = (choice: Choice) => {
    setStatus(undefined);
    setChanged(true);
    setChoices({ ...choices, [choice.id]: choice });
  };
  const today = getToday(new Date(getServerTime()));
  const certainHits = accessRequest.hits.filter(({ isPossible }) => !isPossible);
  const possibleHits = accessRequest.hits.filter(({ isPossible }) => isPossible);
  const undecidedCount = certainHits.filter(({ id }) => !choices[id]).length;

  const submit = (changes: { extendedBecause?: string; pausedOn?: string | null; isClosed?: boolean } = {}) => {
    const unexplainedChoice = Object.values(choices).find(
      ({ choice, because }) => choice === 'leave' && !because?.trim(),
    );
    const hit = unexplainedChoice && accessRequest.hits.find(({ id }) => id === unexplainedChoice.id);
    if (hit) return setStatus({ kind: 'error', text: `Say why ${hit.label} is left out` });
    save.mutate(
      {
        params: { id: accessRequest.id },
        body: { version: accessRequest.version, choices: Object.values(choices), ...changes },
      },
      {
        onSuccess() {
          setChanged(false);
          setStatus({ kind: 'success', text: 'Saved' });
        },
        onError: (error) =>
          setStatus({ kind: 'error', text: error.message || 'This could not be saved. Please try again.' }),
      },
    );
  };

  const renderHits = (hits: Hit[]) => (
    <ul className={rows.list}>
      {hits.map((hit) => (
        <li key={hit.id} className={rows.row}>
          <HitChoice hit={hit} choice={choices[hit.id]} onChoose={setChoice} />
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
      {renderHits(certainHits)}
      <Title order={3} size="h4">
        Records that perhaps name someone else: {possibleHits.length}
      </Title>
      <Text size="sm">
        A similar spelling, or the same name with another number. It is only sent if you choose Send.
      </Text>
      {renderHits(possibleHits)}
      <div className={styles.form}>
        <Text>
          {undecidedCount === 0
            ? 'You have decided about every record.'
            : `${undecidedCount} ${undecidedCount === 1 ? 'record' : 'records'} left to decide about.`}
        </Text>
        <div className={rows.actions}>
          <Button onClick={() => submit()} loading={save.isPending}>
            Save
          </Button>
          <Button
            component="a"
            variant="default"
            href={endpointUrl(api.getAccessZip, { params: { id: accessRequest.id } })}
            data-disabled={undecidedCount > 0 || isChanged || undefined}
            aria-disabled={undecidedCount > 0 || isChanged || undefined}
            onClick={(event) => {
              if (undecidedCount === 0 && !isChanged) return;
              event.preventDefault();
              setStatus({
                kind: 'error',
                text: isChanged ? 'Save your choices first' : `Decide about every record: ${undecidedCount} left`,
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
            value={extendedBecause}
            maxLength={textLimits.reason}
            autosize
            minRows={1}
            onChange={({ currentTarget }) => setExtendedBecause(currentTarget.value)}
          />
        )}
        <div className={rows.actions}>
          {!accessRequest.extended_because && (
            <Button
              variant="default"
              disabled={extendedBecause.trim() === ''}
              onClick={() => submit({ extendedBecause })}
            >
              Extend the Deadline
            </Button>
          )}
          {accessRequest.paused_on ? (
            <Button variant="default" onClick={() => submit({ pausedOn: null })}>
              Resume the Deadline
            </Button>
          ) : (
            <Button variant="default" onClick={() => submit({ pausedOn: today })}>
              Pause the Deadline
            </Button>
          )}
          <Button variant="default" onClick={() => submit({ isClosed: accessRequest.closed_on === null })}>
            {accessRequest.closed_on === null ? 'Mark as Answered' : 'Reopen'}
          </Button>
        </div>
      </div>
      <EraseNameForm accessRequest={accessRequest} />
    </>
  );
}
