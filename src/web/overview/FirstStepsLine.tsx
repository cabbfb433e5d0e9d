// What is left of the first steps, on one line; from the session, without a request.
import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { useSession } from '../client/session.ts';

export function FirstStepsLine() {
  const { firstSteps } = useSession();
  if (!firstSteps) return null;
  return (
    <Text>
      Set-up: {firstSteps.done} of 9 done. <Link to="/admin/first-steps">Next: {firstSteps.next}</Link>
    </Text>
  );
}
