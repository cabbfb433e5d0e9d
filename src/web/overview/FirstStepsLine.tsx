// What is left of the first steps, on one line; from the session, without a request.
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useSession } from '../client/session.ts';

export function FirstStepsLine() {
  const { firstSteps } = useSession();
  if (!firstSteps) return null;
  return (
    <Text mb="md">
      Set-up: {firstSteps.done} of {firstSteps.total} done.{' '}
      <Anchor component={Link} to="/admin/first-steps" inherit>
        Next: {firstSteps.next}
      </Anchor>
    </Text>
  );
}
