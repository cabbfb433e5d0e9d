import { NativeSelect } from '@mantine/core';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import type { PlaceChoices } from './placeChoices.ts';
import styles from './SectionField.module.css';

type PlaceFieldProps = {
  choices: PlaceChoices;
  /** Undefined until it is answered; null for the park as a whole. */
  place: CheckedPlace | null | undefined;
  isDisabled?: boolean;
  onChange: (place: CheckedPlace | null) => void;
};

const parkValue = 'park';

/** Shown where a device without a connection has no copy of today's checks. */
const checksNotKnown =
  'Today’s checks are not on this device, so every place of the park is listed. Choose where you are.';

/** The first question of a checklist that is due at places. */
export function PlaceField({ choices, place, isDisabled = false, onChange }: PlaceFieldProps) {
  const { due, others, hasPark, begun, isKnown } = choices;
  const toOption = ({ id, name }: CheckedPlace) => (
    <option key={id} value={id} translate="no">
      {begun.includes(id) ? `${name} (in progress)` : name}
    </option>
  );
  const isListed = !place || [...due, ...others].some(({ id }) => id === place.id);
  const all = [...due, ...others, ...(place && !isListed ? [place] : [])];
  return (
    <NativeSelect
      label="Which place?"
      description={!isKnown && checksNotKnown}
      required
      mb="lg"
      className={styles.section ?? ''}
      disabled={isDisabled}
      value={place === undefined ? '' : place === null ? parkValue : place.id}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') onChange(all.find(({ id }) => id === value) ?? null);
      }}
    >
      {place === undefined && <option value="">Choose a place</option>}
      {due.length > 0 && all.length > due.length ? (
        <>
          <optgroup label="Due now">{due.map(toOption)}</optgroup>
          <optgroup label="Other places">{all.slice(due.length).map(toOption)}</optgroup>
        </>
      ) : (
        all.map(toOption)
      )}
      {(hasPark || place === null) && <option value={parkValue}>The park as a whole</option>}
    </NativeSelect>
  );
}
