import { NativeSelect } from '@mantine/core';
import { noPlace } from '#shared/places/places.ts';
import { usePlaceInUrl } from './usePlaces.ts';

/** The place whose records a list shows. Set by links of its page; here it can only be removed. */
export function PlaceFilter({ value, onClear }: { value: string | undefined; onClear: () => void }) {
  const name = usePlaceInUrl()?.name ?? (value === noPlace ? 'None' : 'One place');
  if (!value) return null;
  return (
    <NativeSelect
      label="Place"
      value={value}
      data={[
        { value: '', label: 'All places' },
        { value, label: name },
      ]}
      onChange={onClear}
    />
  );
}
