import { Text } from '@mantine/core';
import { queryClient } from '../client/api.ts';
import { sessionQuery } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';

/** In place of a page, when nobody is known on this device and the server cannot be asked. The page opens by itself once it can. */
export function NoConnection() {
  return (
    <>
      <ErrorBox
        isPage
        message="There is no connection"
        onRetry={() => void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })}
      />
      <Text mt="md">You can sign in when the connection is back. This page then opens by itself.</Text>
    </>
  );
}
