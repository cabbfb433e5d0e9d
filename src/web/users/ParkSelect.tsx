import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { allParks, parks } from '#shared/choices.ts';
import type { Park } from '#shared/users.ts';

type ParkSelectProps = Omit<NativeSelectProps, 'data'> & {
  /** The text for no choice; without it a park is always chosen. */
  emptyLabel?: string;
};

/**
 * The 20 parks and 'All parks', whose value is its text, because an empty value means no choice.
 */
export function ParkSelect({ emptyLabel, ...props }: ParkSelectProps) {
  return (
    <NativeSelect {...props} data={[...(emptyLabel ? [{ value: '', label: emptyLabel }] : []), allParks, ...parks]} />
  );
}

/** Converts to the server's value, where no park means all. */
export const toParkValue = (chosen: string) => (chosen === allParks ? '' : chosen) as Park;
