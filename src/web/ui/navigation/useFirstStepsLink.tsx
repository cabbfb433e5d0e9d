// The link back to the first steps on screens outside the administration, whose list has it.
import { BackButton } from './BackButton.tsx';
import { useUrlState } from './useUrlState.ts';

/** In the URL of a screen that was opened from there. */
export const fromFirstSteps = 'from=first-steps';

export function useFirstStepsLink() {
  const { get } = useUrlState();
  return get('from') === 'first-steps' ? <BackButton to="/admin/first-steps">First Steps</BackButton> : null;
}
