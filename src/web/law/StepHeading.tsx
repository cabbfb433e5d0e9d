import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { moveToHeading } from '../ui/navigation/moveToHeading.ts';

/** A heading that gets the focus, at the top of the screen, once its part is the user's next step. */
export function StepHeading({ isNextStep, children }: { isNextStep: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNextStep) moveToHeading(heading.current);
  }, [isNextStep]);
  return (
    <Title order={3} size="h4" ref={heading} tabIndex={-1}>
      {children}
    </Title>
  );
}
