// One park, all, or several ticked ones.
import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { allParks, parks } from '#shared/choices.ts';
import { parseParks } from '#shared/park-list.ts';
import styles from './overview.module.css';
import { everyPark } from './period.ts';

const several = 'several';

type ParkPickerProps = {
  /** Separated by commas; none for all. */
  park: string | undefined;
  onChange: (park: string) => void;
};

export function ParkPicker({ park, onChange }: ParkPickerProps) {
  const chosen = parseParks(park ?? '');
  const [isTicking, setTicking] = useState(false);
  const isSeveral = isTicking || chosen.length > 1;
  return (
    <>
      <NativeSelect
        label="Park"
        value={isSeveral ? several : (chosen[0] ?? everyPark)}
        data={[{ value: everyPark, label: allParks }, { value: several, label: 'Several parks...' }, ...parks]}
        onChange={({ currentTarget: { value } }) => {
          setTicking(value === several);
          if (value !== several) onChange(value);
        }}
      />
      {isSeveral && (
        <fieldset className={styles.parks}>
          <legend>Parks</legend>
          {parks.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) => {
                setTicking(true);
                const next = checked ? [...chosen, name] : chosen.filter((other) => other !== name);
                onChange(parseParks(next.join()).join() || everyPark);
              }}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
