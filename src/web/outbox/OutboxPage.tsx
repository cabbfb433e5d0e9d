import { Box, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Joined, Name } from '../ui/feedback/Name.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { FormerUsersItems } from './FormerUsersItems.tsx';
import type { OutboxItem, Receipt } from './items.ts';
import { OutboxEntry } from './OutboxEntry.tsx';
import styles from './OutboxPage.module.css';
import { deleteFromOutbox, startSending } from './outbox.ts';
import { RejectedPhotos } from './RejectedPhotos.tsx';
import { formatReceived, kindLabels } from './receiptText.ts';
import { SignedOutItems } from './SignedOutItems.tsx';
import { getStorageWarning } from './storageWarning.ts';
import { useOutbox } from './useSubmission.ts';

/** Items waiting on this device, and items sent from it. */
export function OutboxPage() {
  const user = useUser();
  const { isLoaded, items, receipts } = useOutbox();
  const [pendingDelete, setPendingDelete] = useState<OutboxItem>();
  const [warning, setWarning] = useState('');
  const ownItems = items.filter(({ userId }) => userId === user.id);
  const signedOutItems = items.filter(({ userId }) => userId === signedOutUserId);
  const isOfOtherUser = ({ userId }: OutboxItem) => userId !== user.id && userId !== signedOutUserId;
  const { data: users } = useQuery({
    ...queryFor(api.listUsers),
    enabled: isAllowed('reviewer', user) && items.some(isOfOtherUser),
  });
  const formerUsersItems = users
    ? items.filter((item) => isOfOtherUser(item) && !users.some(({ id }) => id === item.userId))
    : [];
  const others = items.filter(isOfOtherUser).length - formerUsersItems.length;

  useEffect(() => {
    startSending();
    void getStorageWarning().then(setWarning);
  }, []);

  if (!isLoaded) return <Loading shape="rows" />;
  return (
    <>
      <PageHeading title="Outbox" text="Forms that you submit wait here until the server has received them." />
      {warning && (
        <Text maw="60rem" my="md">
          {warning}
        </Text>
      )}
      {formerUsersItems.length > 0 && <FormerUsersItems items={formerUsersItems} />}
      {signedOutItems.length > 0 && <SignedOutItems items={signedOutItems} />}
      <RecordList
        query={{ data: ownItems }}
        empty={items.length === 0 ? { text: 'Nothing is waiting to be sent.' } : undefined}
        className={styles.list}
        row={(item) => <OutboxEntry item={item} onDelete={() => setPendingDelete(item)} />}
      />
      {others > 0 && (
        <Text maw="60rem" my="md">
          {others === 1
            ? '1 item of another user is waiting here.'
            : `${others} items of other users are waiting here.`}{' '}
          {getSharedDevice()
            ? 'This device sends them automatically. Only their users see them.'
            : 'Only they can see and send what they submitted, when they sign in on this device.'}
        </Text>
      )}

      <Box component="section" className="stack" mt="xl" aria-labelledby="sent">
        <Title order={2} size="h4" id="sent">
          Sent From This Device
        </Title>
        <RecordList
          query={{ data: receipts }}
          empty="Nothing in the last 30 days."
          className={styles.list}
          row={(receipt) => <SentEntry receipt={receipt} isOwn={receipt.userId === user.id} />}
        />
      </Box>

      <ConfirmDialog
        isOpen={pendingDelete !== undefined}
        title="Delete this?"
        confirm="Delete"
        isDangerous
        onConfirm={() => {
          if (pendingDelete) void deleteFromOutbox(pendingDelete.id);
          setPendingDelete(undefined);
        }}
        onCancel={() => setPendingDelete(undefined)}
      >
        {pendingDelete &&
          `It has not been sent. ${formatContent(pendingDelete)} will be lost. Save a copy first if you may need it.`}
      </ConfirmDialog>
    </>
  );
}

/** Others who use this device see neither photos nor who completed an audit. */
function SentEntry({ receipt, isOwn }: { receipt: Receipt; isOwn: boolean }) {
  const { kind, number, park, place, sentAt, completedBy } = receipt;
  return (
    <li className={styles.receipt}>
      <Text fw={600}>
        <Joined
          parts={[
            number && <Name>{number}</Name>,
            kindLabels[kind],
            place && <Name>{place}</Name>,
            park && <Name>{park}</Name>,
          ]}
        />
      </Text>
      <Text size="sm">
        Sent {formatInstant(new Date(sentAt).toISOString())}, {formatReceived(receipt)}.
        {isOwn && completedBy && (
          <>
            {' '}
            It was already completed by <Name>{completedBy}</Name>.
          </>
        )}
      </Text>
      {isOwn && <RejectedPhotos receipt={receipt} />}
    </li>
  );
}

/** `The accident report “Slip: …”, with 5 photos and signatures,` */
function formatContent({ kind, title, files }: OutboxItem): string {
  const count =
    files.length === 0 ? '' : files.length === 1 ? ', with 1 file,' : `, with ${files.length} photos and signatures,`;
  return `The ${kindLabels[kind].toLowerCase()} “${title}”${count}`;
}
