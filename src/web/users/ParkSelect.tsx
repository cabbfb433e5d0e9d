import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { allParks, parks } from '#shared/choices.ts';
import type { Park } from '#shared/users.ts';

type ParkSelectProps = Omit<NativeSelectProps, 'data'> & {
  /** The words for no choice yet; without them one is always chosen. */
  unchosen?: string;
};

/** The 20 parks, and all of them, whose value is the words themselves: an empty value would be no choice. */
export function ParkSelect({ unchosen, ...props }: ParkSelectProps) {
  return <NativeSelect {...props} data={[...(unchosen ? [{ value: '', label: unchosen }] : []), allParks, ...parks]} />;
}

/** As the server has it: no park means all of them. */
export const toParkValue = (chosen: string) => (chosen === allParks ? '' : chosen) as Park;
