import { Text } from '@mantine/core';
import { queryClient } from '../client/api.ts';
import { sessionQuery } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';

/** Shown if no user is remembered and the server cannot be reached. The page opens once it can. */
export function NoConnection() {
  return (
    <>
      <ErrorBox
        isPage
        message="There is no connection"
        onRetry={() => void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })}
      />
      <Text mt="md">You can sign in when the connection is back. This page then opens automatically.</Text>
    </>
  );
}
