import { Box, Button, Text, Title } from '@mantine/core';
import { Download, Eye, EyeOff, Send } from 'lucide-react';
import { useState } from 'react';
import { formatInstant } from '#shared/dates.ts';
import { useUser } from '../client/session.ts';
import { Joined, Name } from '../ui/feedback/Name.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { ItemContent } from './ItemContent.tsx';
import type { OutboxItem } from './items.ts';
import styles from './OutboxPage.module.css';
import { sendForFormerUser } from './outbox.ts';
import { kindLabels } from './receiptText.ts';
import { useSaveCopy } from './useSaveCopy.ts';

/** Items submitted by users whose account has been deleted since: reviewers can send them. */
export const FormerUsersItems = ({ items }: { items: OutboxItem[] }) => (
  <Box component="section" aria-labelledby="former" className="stack" mb="1.5rem">
    <Title order={2} size="h4" id="former">
      From Deleted Users
    </Title>
    <Text>
      Their accounts were deleted before this could be sent. You can send it: it is recorded under both names.
    </Text>
    <RecordList query={{ data: items }} className={styles.list} row={(item) => <FormerUsersItem item={item} />} />
  </Box>
);

function FormerUsersItem({ item }: { item: OutboxItem }) {
  const user = useUser();
  const [isOpen, setOpen] = useState(false);
  const copy = useSaveCopy(item);
  const icon = { 'aria-hidden': true, size: 18 } as const;
  return (
    <li className={styles.entry}>
      <div>
        <Text fw={600}>
          <Joined
            parts={[
              kindLabels[item.kind],
              item.place && <Name>{item.place}</Name>,
              item.park && <Name>{item.park}</Name>,
            ]}
          />
        </Text>
        <Text size="sm">
          Submitted {formatInstant(new Date(item.createdAt).toISOString())} by <Name>{item.username}</Name>
        </Text>
      </div>
      {isOpen && <ItemContent item={item} />}
      {copy.error && <Text c="var(--mantine-color-error)">{copy.error}</Text>}
      <div className="wrap tight">
        <Button
          variant="default"
          leftSection={isOpen ? <EyeOff {...icon} /> : <Eye {...icon} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Open'}
        </Button>
        <Button leftSection={<Send {...icon} />} onClick={() => sendForFormerUser(item, user)}>
          Send for {item.username}
        </Button>
        <Button variant="default" leftSection={<Download {...icon} />} loading={copy.isSaving} onClick={copy.save}>
          Save a Copy
        </Button>
      </div>
    </li>
  );
}
