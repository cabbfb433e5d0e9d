// Messages of guests: open ones first, of them the unread ones.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { api } from '#shared/api.ts';
import type { Reply } from '#shared/contract.ts';
import { formatInstant } from '#shared/dates.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import { maxListedMessages } from '#shared/places/messages.ts';
import { queryFor } from '../client/api.ts';
import { QueryState } from '../client/QueryState.tsx';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { Fold } from '../ui/navigation/Fold.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSections } from '../ui/navigation/PageSection.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { MessageTags } from './MessageTags.tsx';

export function MessagesPage() {
  const park = useUrlState().get('park') || undefined;
  const open = useQuery(queryFor(api.listMessages, { query: { park } }));
  const closed = useQuery(queryFor(api.listMessages, { query: { park, closed: '1' } }));
  return (
    <>
      <PageHeading
        title="Messages from Guests"
        text={park && describeParks(park)}
        back={<BackButton to="/get-reports">Reports</BackButton>}
      />
      <QueryState query={open} failed="The messages could not be loaded." />
      {open.data?.length === 0 && <EmptyState icon={Mail} text="There are no open messages." />}
      {open.data && (
        <PageSections>
          <List messages={open.data} />
          {open.data.length === maxListedMessages && (
            <Text>These are the first {maxListedMessages}. The others follow when some of them are closed.</Text>
          )}
          {closed.data && closed.data.length > 0 && (
            <Fold title="Closed, Latest First">
              <List messages={closed.data} />
            </Fold>
          )}
          {open.data.length + (closed.data?.length ?? 0) > 0 && (
            <ExportButtons list="messages" name="Messages from Guests" filters={{ park }} />
          )}
        </PageSections>
      )}
    </>
  );
}

const maxExcerpt = 160;

const List = ({ messages }: { messages: Reply<typeof api.listMessages> }) => (
  <ul className={rows.list}>
    {messages.map((message) => {
      const { id, kind, place, park, words, created_at } = message;
      const start = [...words].slice(0, maxExcerpt).join('');
      return (
        <RecordRow
          key={id}
          to={`/messages/${id}`}
          title={getHazardTitle(kind, place.name)}
          text={start === words ? words : `${start}…`}
          details={[park, formatInstant(created_at)]}
        >
          <MessageTags message={message} />
        </RecordRow>
      );
    })}
  </ul>
);
