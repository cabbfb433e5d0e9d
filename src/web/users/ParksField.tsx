// The parks of a user: one, several, or all.
import { Checkbox, NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useState } from 'react';
import { canGivePark, canGiveParks, nameParks, type Parks } from '#shared/access.ts';
import { isOpenPark, listParks } from '#shared/park-list.ts';
import { useUser } from '../client/session.ts';
import styles from './ParksField.module.css';

const severalParks = 'Several parks...';

type ParksFieldProps = Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> & {
  /** The name of the group of ticks. */
  legend: string;
  /** The user's parks before a change; none for a new user. */
  before: Parks;
  /** Undefined if nothing is chosen yet. */
  value: Parks | undefined;
  onChange: (parks: Parks) => void;
};

/** Offers the parks that the signed-in user may give. Several parks are ticked in a list below. */
export function ParksField({ legend, before, value, onChange, disabled, ...props }: ParksFieldProps) {
  const actor = useUser();
  const [isTicking, setTicking] = useState(value?.length === 0);
  const ticked = value ?? [];
  const parks = listParks().filter((park) => isOpenPark(park) || before?.includes(park) || ticked.includes(park));
  const toggle = (park: string) => parks.filter((name) => (name === park) !== ticked.includes(name));
  const choices = new Map<string, Parks>();
  for (const several of [before, ticked]) if (several && several.length > 1) choices.set(nameParks(several), several);
  for (const choice of [null, ...parks.map((park) => [park])])
    if (canGiveParks(actor, before, choice)) choices.set(nameParks(choice), choice);
  const canTick =
    before === null ? choices.size > 1 : parks.filter((park) => canGivePark(actor, park)).length + before.length > 1;
  return (
    <>
      <NativeSelect
        {...props}
        disabled={disabled}
        value={isTicking ? severalParks : value === undefined ? '' : nameParks(value)}
        data={[
          ...(value === undefined ? [{ value: '', label: 'Choose a park' }] : []),
          ...choices.keys(),
          ...(canTick ? [severalParks] : []),
        ]}
        onChange={({ currentTarget }) => {
          setTicking(currentTarget.value === severalParks);
          onChange(currentTarget.value === severalParks ? ticked : (choices.get(currentTarget.value) ?? null));
        }}
      />
      {isTicking && (
        <fieldset className={styles.ticks} disabled={disabled}>
          <legend>{legend}</legend>
          {parks.map((park) => (
            <Checkbox
              key={park}
              label={park}
              checked={ticked.includes(park)}
              disabled={!canGivePark(actor, park)}
              onChange={() => onChange(toggle(park))}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
