// Says before printing that the printed address may be of use to nobody else.
import { Group, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { isAdminOfAllParks } from '#shared/access.ts';
import { isAddressSet } from '../operator.ts';
import { useUser } from './session.ts';

/** For Admins of all parks, who can have the setting changed, while the address of the server is not set. */
export function AddressWarning({ what }: { what: string }) {
  const user = useUser();
  if (isAddressSet() || !isAdminOfAllParks(user)) return null;
  return (
    <Group role="note" gap="xs" wrap="nowrap" align="flex-start">
      <TriangleAlert aria-hidden size={20} style={{ flex: 'none' }} />
      <Text>
        {what} lead to <span translate="no">{window.location.origin}</span>, as in this browser, because{' '}
        <span translate="no">PUBLIC_URL</span> is not set. If phones need another address, set it and restart the server
        before you print.
      </Text>
    </Group>
  );
}
