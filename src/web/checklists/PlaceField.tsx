import { NativeSelect } from '@mantine/core';
import type { CheckedPlace } from '../schedules/dueChecks.ts';
import type { PlaceChoices } from './placeChoices.ts';

type PlaceFieldProps = {
  choices: PlaceChoices;
  /** Undefined until it is answered; null for the park as a whole. */
  place: CheckedPlace | null | undefined;
  isDisabled?: boolean;
  onChange: (place: CheckedPlace | null) => void;
};

const parkValue = 'park';

/** The first question of a checklist that is due at places. */
export function PlaceField({ choices, place, isDisabled = false, onChange }: PlaceFieldProps) {
  const { due, others, hasPark, begun } = choices;
  const toOption = ({ id, name }: CheckedPlace) => ({
    value: id,
    label: begun.includes(id) ? `${name} (in progress)` : name,
  });
  const isListed = !place || [...due, ...others].some(({ id }) => id === place.id);
  const all = [...due, ...others, ...(place && !isListed ? [place] : [])];
  return (
    <NativeSelect
      label="Which place?"
      required
      mb="md"
      disabled={isDisabled}
      value={place === undefined ? '' : place === null ? parkValue : place.id}
      data={[
        ...(place === undefined ? [{ value: '', label: 'Choose a place' }] : []),
        ...(due.length > 0 && all.length > due.length
          ? [
              { group: 'Due now', items: due.map(toOption) },
              { group: 'Other places', items: all.slice(due.length).map(toOption) },
            ]
          : all.map(toOption)),
        ...(hasPark || place === null ? [{ value: parkValue, label: 'The park as a whole' }] : []),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') onChange(all.find(({ id }) => id === value) ?? null);
      }}
    />
  );
}
