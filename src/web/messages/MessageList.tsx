// The rows of messages, of which several can be chosen to close them together.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { formatInstant } from '#shared/dates.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import type { ListedMessage } from '#shared/places/messages.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import { MessageSelection } from './MessageSelection.tsx';
import { MessageTags } from './MessageTags.tsx';

const maxExcerpt = 160;

/** Open messages, with the ways to close several. Only what is shown can be chosen, in full. */
export function MessageList({ messages }: { messages: ListedMessage[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const choosable = messages.filter(({ group }) => !group);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((ids = new Set()) => new Set(isChosen ? [...ids, id] : [...ids].filter((other) => other !== id)));
  return (
    <>
      {choosable.length > 0 && (
        <Group>
          <Button
            variant="default"
            aria-pressed={chosen !== undefined}
            onClick={() => setChosen(chosen ? undefined : new Set())}
          >
            Select
          </Button>
        </Group>
      )}
      <MessageRows messages={messages} chosen={chosen} onChoose={choose} />
      {chosen && (
        <MessageSelection
          chosen={choosable.filter(({ id }) => chosen.has(id))}
          onChooseAll={() => setChosen(new Set(choosable.map(({ id }) => id)))}
          onClear={() => setChosen(new Set())}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

type MessageRowsProps = {
  messages: ListedMessage[];
  /** The ids of the chosen messages; undefined unless the user is selecting some. */
  chosen?: ReadonlySet<string> | undefined;
  onChoose?: (id: string, isChosen: boolean) => void;
};

export const MessageRows = ({ messages, chosen, onChoose }: MessageRowsProps) => (
  <ul className={rows.list}>
    {messages.map((message) => {
      const { id, kind, place, park, words, created_at, group } = message;
      if (group) return <GroupRow key={group.id} message={message} group={group} />;
      const title = getHazardTitle(kind, place.name);
      const start = [...words].slice(0, maxExcerpt).join('');
      return (
        <RecordRow
          key={id}
          to={`/messages/${id}`}
          title={title}
          text={chosen || start === words ? words : `${start}…`}
          details={[park, formatInstant(created_at)]}
        >
          <MessageTags message={message} />
          {chosen && (
            <label className={rows.choose}>
              <input
                type="checkbox"
                aria-label={`Choose ${title}, ${words}`}
                checked={chosen.has(id)}
                onChange={({ currentTarget }) => onChoose?.(id, currentTarget.checked)}
              />
            </label>
          )}
        </RecordRow>
      );
    })}
  </ul>
);

/** A row for all messages of one label, network and hour. */
function GroupRow({ message, group }: { message: ListedMessage; group: NonNullable<ListedMessage['group']> }) {
  const { place, park, created_at } = message;
  const hurt = `${group.hurt} ${group.hurt === 1 ? 'says' : 'say'} someone was hurt.`;
  return (
    <RecordRow
      to={buildUrl('/messages', { group: group.id })}
      title={`${place.name}: ${group.sent} messages in an hour`}
      text={`${group.hurt > 0 ? `${hurt} ` : ''}Go and look.`}
      details={[park, formatInstant(created_at)]}
    >
      <MessageTags message={{ ...message, sent_count: 1 }} />
    </RecordRow>
  );
}
