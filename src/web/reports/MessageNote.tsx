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

/** Returns the message in the URL's `?message=`; only reviewers have one. */
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
  linkedId: string | undefined;
  messageInUrl: Message | undefined;
  onChange: (linkedId: string | undefined) => void;
};

/**
 * Shows that the report closes a guest's message, with a button to unlink it. If the form already
 * contained something else, the message is linked only when the user presses the button.
 */
export function MessageNote({ linkedId, messageInUrl, onChange }: MessageNoteProps) {
  const id = linkedId ?? (messageInUrl?.isOpen ? messageInUrl.id : undefined);
  if (!id) return null;
  return (
    <Text>
      {linkedId ? 'Submitting this report closes a message from a guest.' : 'This form has an unfinished report.'}{' '}
      <Link to={`/messages/${id}`}>Open the Message</Link>{' '}
      <Button variant="default" onClick={() => onChange(linkedId ? undefined : id)}>
        {linkedId ? 'Unlink the Message' : 'Link the Message'}
      </Button>
    </Text>
  );
}
