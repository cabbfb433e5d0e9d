import { Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { Radios } from '../ui/forms/Radios.tsx';

type OutcomeChoiceProps<Outcome extends string> = Omit<ComponentProps<typeof Radios<Outcome>>, 'className'> & {
  description: string;
  error: string | undefined;
};

/** Radio buttons for what someone found: in a verification, or in an audit of a lesson. */
export function OutcomeChoice<Outcome extends string>({ description, error, ...radios }: OutcomeChoiceProps<Outcome>) {
  return (
    <FieldGroup role="radiogroup" label="What did you find?" description={description} required error={error}>
      <Group gap="lg">
        <Radios {...radios} />
      </Group>
    </FieldGroup>
  );
}
