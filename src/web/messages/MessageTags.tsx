import { Group } from '@mantine/core';
import { CircleCheck, Mail, Repeat, Trash2, TriangleAlert } from 'lucide-react';
import { formatInstantDay } from '#shared/dates.ts';
import type { Message } from '#shared/places/messages.ts';
import { Tag } from '../ui/feedback/Tag.tsx';

type Tagged = Pick<Message, 'hurt' | 'read_at' | 'isOpen' | 'sent_count' | 'junk_until'>;

export const MessageTags = ({ message: { hurt, read_at, isOpen, sent_count, junk_until } }: { message: Tagged }) => (
  <Group gap="xs">
    {!read_at && <Tag label="Unread" icon={Mail} />}
    {hurt === 'hurt' && <Tag label="Someone was hurt" icon={TriangleAlert} tone="danger" />}
    {hurt === 'nearly' && <Tag label="Someone was nearly hurt" icon={TriangleAlert} />}
    {sent_count > 1 && <Tag label={`Sent ${sent_count} times`} icon={Repeat} />}
    {!isOpen && !junk_until && <Tag label="Closed" icon={CircleCheck} tone="success" />}
    {junk_until && <Tag label={`Junk, deleted on ${formatInstantDay(junk_until)}`} icon={Trash2} />}
  </Group>
);
