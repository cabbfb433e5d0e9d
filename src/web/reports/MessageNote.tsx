// Above a report form that was opened from a message of a guest.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import type { Message } from '#shared/places/messages.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useUrlState } from '../ui/navigation/useUrlState.ts';

/** The message in the URL's `?message=`. */
export function useMessageInUrl(): Message | undefined {
  const user = useUser();
  const id = useUrlState().get('message');
  const { data } = useQuery({
    ...queryFor(api.getMessage, { params: { id } }),
    enabled: id !== '' && isAllowed('reviewer', user),
    refetchOnWindowFocus: false,
  });
  return data;
}

type MessageNoteProps = {
  /** The id of the message that the report closes. */
  linked: string | undefined;
  given: Message | undefined;
  onChange: (linked: string | undefined) => void;
};

/**
 * Shows that the report closes a guest's message, with a button to unlink it. If the form already
 * contained something else, the message is linked only when the user presses the button.
 */
export function MessageNote({ linked, given, onChange }: MessageNoteProps) {
  const id = linked ?? (given?.isOpen ? given.id : undefined);
  if (!id) return null;
  return (
    <Text>
      {linked ? 'Submitting this report closes a message from a guest.' : 'This form has an unfinished report.'}{' '}
      <Link to={`/messages/${id}`}>Open the Message</Link>{' '}
      <Button variant="default" onClick={() => onChange(linked ? undefined : id)}>
        {linked ? 'Unlink the Message' : 'Link the Message'}
      </Button>
    </Text>
  );
}
