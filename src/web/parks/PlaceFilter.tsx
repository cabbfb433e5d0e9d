import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { noPlace } from '#shared/places/places.ts';
import { usePlaces } from './usePlaces.ts';

/** The place that a list had last, so that it can be chosen again after 'All places'. */
export function usePlaceFilter(value = '') {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return { value, last: value || last };
}

/** The place whose records a list shows. Set by links of its page; here it can be removed and chosen again. */
export function PlaceFilter({
  value,
  last,
  onChange,
}: ReturnType<typeof usePlaceFilter> & { onChange: (place: string) => void }) {
  const place = usePlaces().data?.find(({ id }) => id === last);
  if (!last) return null;
  return (
    <NativeSelect
      label="Place"
      value={value}
      data={[
        { value: '', label: 'All places' },
        { value: last, label: place?.name ?? (last === noPlace ? 'None' : 'One place') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
