import { Alert, Button, Text } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { formatInstant } from '#shared/dates.ts';

type GuestDraftOfferProps = {
  what: 'report' | 'checklist';
  /** Who said they were filling it in. */
  by?: string;
  at: number;
  problem?: string;
  onContinue: () => void;
};

/** Offers what someone began on this device without a session to whoever has signed in. Only they know whether it is theirs. */
export const GuestDraftOffer = ({ what, by, at, problem, onContinue }: GuestDraftOfferProps) => (
  <Alert icon={<UserRound aria-hidden />} variant="default" mb="md" title={`A ${what} was begun without signing in`}>
    <Text size="sm" mb="xs">
      On this device, {formatInstant(new Date(at).toISOString())}
      {by && `, by “${by}”`}. If it is yours, continue with it. Else leave it: it is deleted after 14 days.
    </Text>
    {problem && (
      <Text size="sm" mb="xs" role="alert">
        {problem}
      </Text>
    )}
    <Button variant="default" onClick={onContinue}>
      Continue With It
    </Button>
  </Alert>
);
