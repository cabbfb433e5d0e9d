import { Box, Button, Text, Title } from '@mantine/core';
import { formatInstant } from '#shared/dates.ts';
import { useUser } from '../client/session.ts';
import { Joined, Name } from '../ui/feedback/Name.tsx';
import type { OutboxItem } from './items.ts';
import styles from './OutboxPage.module.css';
import { claimItem } from './outbox.ts';
import { kindLabels } from './receiptText.ts';

/** Items submitted while signed out. Shows only enough for the person who filled one in to recognise it. */
export function SignedOutItems({ items }: { items: OutboxItem[] }) {
  const user = useUser();
  return (
    <Box component="section" aria-labelledby="signed-out-items" className="stack" mb="1.5rem">
      <Title order={2} size="h4" id="signed-out-items">
        Started Without Signing In
      </Title>
      <Text>
        Confirm the forms that are yours, to send them under your name. Leave the others to the people who filled them
        in.
      </Text>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={item.id} className={styles.entry}>
            <div>
              <Text fw={600}>
                <Joined parts={[kindLabels[item.kind], item.park && <Name>{item.park}</Name>]} />
              </Text>
              <Text size="sm">
                Submitted {formatInstant(new Date(item.createdAt).toISOString())} by “<Name>{item.username}</Name>”
              </Text>
            </div>
            <div className="wrap tight">
              <Button onClick={() => claimItem(item.id, user)}>This Is Mine</Button>
            </div>
          </li>
        ))}
      </ul>
    </Box>
  );
}
