import { Button, Paper, Text } from '@mantine/core';
import { formatInstant } from '#shared/dates.ts';

type SignedOutDraftOfferProps = {
  what: 'report' | 'checklist';
  /** The name given by the person who filled it in. */
  by?: string;
  at: number;
  problem?: string;
  onContinue: () => void;
};

/**
 * Offers a draft that was started on this device while signed out to the user who signs in, who alone
 * knows whether it is theirs.
 */
export const SignedOutDraftOffer = ({ what, by, at, problem, onContinue }: SignedOutDraftOfferProps) => (
  <Paper withBorder p="md" mb="md" role="alert">
    <Text fw={600}>A {what} was started without signing in</Text>
    <Text size="sm" mb="xs">
      On this device, {formatInstant(new Date(at).toISOString())}
      {by && `, by “${by}”`}. If it is yours, continue with it. Otherwise leave it: it is deleted after 14 days.
    </Text>
    {problem && (
      <Text size="sm" mb="xs" role="alert">
        {problem}
      </Text>
    )}
    <Button variant="default" onClick={onContinue}>
      Continue This Form
    </Button>
  </Paper>
);
