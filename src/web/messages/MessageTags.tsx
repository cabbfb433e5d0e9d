import { Group } from '@mantine/core';
import { CircleCheck, Mail, TriangleAlert } from 'lucide-react';
import type { Message } from '#shared/places/messages.ts';
import { Tag } from '../ui/feedback/Tag.tsx';

export const MessageTags = ({ message }: { message: Pick<Message, 'hurt' | 'read_at' | 'isOpen'> }) => (
  <Group gap="xs">
    {!message.read_at && <Tag label="Unread" icon={Mail} tone="warning" />}
    {message.hurt === 'hurt' && <Tag label="Someone was hurt" icon={TriangleAlert} tone="danger" />}
    {message.hurt === 'nearly' && <Tag label="Someone was nearly hurt" icon={TriangleAlert} tone="warning" />}
    {!message.isOpen && <Tag label="Closed" icon={CircleCheck} tone="success" />}
  </Group>
);
