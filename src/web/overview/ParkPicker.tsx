// A filter for one park, all parks, or several.
import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { allParks } from '#shared/choices.ts';
import { listParks, parseParks } from '#shared/park-list.ts';
import { allParksValue } from '../ui/forms/parkChoices.ts';
import { useSyncedText } from '../ui/forms/useSyncedText.ts';
import styles from './overview.module.css';

const severalValue = 'several';

type ParkPickerProps = {
  /** The chosen parks, separated by commas; undefined for all. */
  park: string | undefined;
  onChange: (park: string) => void;
};

export function ParkPicker({ park, onChange }: ParkPickerProps) {
  // Kept here besides the URL: on a slow phone, the user may tick the next park before the screen is redrawn.
  const { text, setText, setPassedOn } = useSyncedText(park ?? '');
  const chosen = parseParks(text);
  const [isChoosingSeveral, setChoosingSeveral] = useState(false);
  const isSeveral = isChoosingSeveral || chosen.length > 1;
  const togglePark = (name: string, checked: boolean) => {
    const names = checked ? [...chosen, name] : chosen.filter((other) => other !== name);
    const next = parseParks(names.join()).join();
    setChoosingSeveral(true);
    setText(next);
    setPassedOn(next);
    onChange(next || allParksValue);
  };
  return (
    <>
      <NativeSelect
        label="Park"
        value={isSeveral ? severalValue : (chosen[0] ?? allParksValue)}
        data={[
          { value: allParksValue, label: allParks },
          { value: severalValue, label: 'Several parks...' },
          ...listParks(),
        ]}
        onChange={({ currentTarget: { value } }) => {
          setChoosingSeveral(value === severalValue);
          if (value !== severalValue) onChange(value);
        }}
      />
      {isSeveral && (
        <fieldset className={`group ${styles.parks}`}>
          <legend>Parks</legend>
          {listParks().map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) => togglePark(name, checked)}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
