// Messages of guests: open ones, the most serious first. Many of one label, network and hour are one row, which opens.
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { messagesPerPage } from '#shared/places/messages.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { Fold } from '../ui/navigation/Fold.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSections } from '../ui/navigation/PageSection.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import { MessageList, MessageRows } from './MessageList.tsx';

export function MessagesPage() {
  const url = useUrlState();
  const park = url.get('park') || undefined;
  const group = url.get('group') || undefined;
  const hurt = url.get('hurt') ? '1' : undefined;
  const page = Math.max(1, Math.trunc(Number(url.get('page'))) || 1);
  const isAll = page === 1 && !group && !hurt;
  const open = useQuery(queryFor(api.listMessages, { query: { park, group, hurt, page } }));
  const next = useNextPage({ park, group, hurt }, page, open.data?.length);
  const place = open.data?.[0]?.place.name;
  return (
    <>
      <PageHeading
        title={group && place ? `Messages from Guests: ${place}` : 'Messages from Guests'}
        text={
          group
            ? 'From one label and network, in one hour'
            : [hurt && 'Someone was hurt', park && describeParks(park)].filter(Boolean).join(', ')
        }
        back={
          group || hurt ? (
            <BackButton to={buildUrl('/messages', { park })}>All Messages</BackButton>
          ) : (
            <BackButton to="/get-reports">Reports</BackButton>
          )
        }
      />
      <PageSections>
        <RecordList
          query={open}
          failed="The messages could not be loaded."
          empty={{
            icon: Mail,
            text: page > 1 ? 'There are no messages on this page.' : 'There are no open messages.',
            ...(isAll && {
              hint: 'Guests send messages by scanning the label of a place.',
              children: (
                <Button component={Link} to="/admin/places" variant="default">
                  Print Labels
                </Button>
              ),
            }),
          }}
        >
          {(messages) => <MessageList key={`${group} ${hurt} ${page}`} messages={messages} />}
        </RecordList>
        {open.data && (
          <>
            <Pages page={page} hasNext={next} onChange={(page) => url.set({ page: page > 1 ? `${page}` : '' })} />
            {!group && !hurt && <ClosedMessages park={park} hasOpen={open.data.length > 0} />}
          </>
        )}
      </PageSections>
    </>
  );
}

type Filter = { park?: string | undefined; group?: string | undefined; hurt?: '1' | undefined; closed?: '1' };

/** Whether there is a page after this one, which has `length` messages. */
function useNextPage(filter: Filter, page: number, length: number | undefined): boolean {
  const isFull = length === messagesPerPage;
  const next = useQuery({ ...queryFor(api.listMessages, { query: { ...filter, page: page + 1 } }), enabled: isFull });
  return isFull && (next.data?.length ?? 0) > 0;
}

function Pages({ page, hasNext, onChange }: { page: number; hasNext: boolean; onChange: (page: number) => void }) {
  if (page === 1 && !hasNext) return null;
  return (
    <Group component="nav" aria-label="Pages">
      {page > 1 && (
        <Button variant="default" onClick={() => onChange(page - 1)}>
          Previous Page
        </Button>
      )}
      <span>Page {page}</span>
      {hasNext && (
        <Button variant="default" onClick={() => onChange(page + 1)}>
          Next Page
        </Button>
      )}
    </Group>
  );
}

function ClosedMessages({ park, hasOpen }: { park: string | undefined; hasOpen: boolean }) {
  const [page, setPage] = useState(1);
  const filter = { park, closed: '1' } as const;
  const closed = useQuery(queryFor(api.listMessages, { query: { ...filter, page } }));
  const next = useNextPage(filter, page, closed.data?.length);
  const hasClosed = page > 1 || (closed.data?.length ?? 0) > 0;
  return (
    <>
      {hasClosed && (
        <Fold title="Closed, Latest First">
          <MessageRows messages={closed.data ?? []} />
          <Pages page={page} hasNext={next} onChange={setPage} />
        </Fold>
      )}
      {(hasOpen || hasClosed) && <ExportButtons list="messages" name="Messages from Guests" filters={{ park }} />}
    </>
  );
}
