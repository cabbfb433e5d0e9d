// The places of a schedule: each chosen park opens its own.
import { Box, Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { canSeePark } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Place } from '#shared/places/places.ts';
import { pluralise } from '#shared/pluralise.ts';
import { compareNames } from '#shared/schedules/next-place.ts';
import { getNameKey } from '#shared/text.ts';
import { callApi, queryClient } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { placesQuery } from '../parks/findPlaceId.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import rows from '../ui/theme/rows.module.css';
import { LongList } from './LongList.tsx';
import styles from './schedules.module.css';

type SchedulePlacesProps = {
  parks: string[];
  /** All places that the user sees. */
  places: Place[];
  chosen: string[];
  /** The number of chosen places at parks that the user does not see. */
  otherPlaces: number;
  error: string | undefined;
  onChange: (chosen: string[]) => void;
};

export function SchedulePlaces({ parks, places, chosen, otherPlaces, error, onChange }: SchedulePlacesProps) {
  const user = useUser();
  const ownParks = parks.filter((park) => canSeePark(user, park));
  if (ownParks.length === 0 && otherPlaces === 0) return null;
  return (
    <FieldGroup
      label="Places (optional)"
      description="Each chosen place has a check of its own. A park without a chosen place is checked as a whole."
      error={error}
      errorProps={{ role: 'alert' }}
    >
      <Box className="stack tight" mt="0.5rem">
        {ownParks.map((park) => (
          <ParkPlaces
            key={park}
            park={park}
            places={places
              .filter((place) => place.park === park && (!place.isRetired || chosen.includes(place.id)))
              .sort(compareNames)}
            chosen={chosen}
            onChange={onChange}
          />
        ))}
        {otherPlaces > 0 && (
          <Text size="sm" c="dimmed">
            {pluralise(otherPlaces, 'place')} of other parks {otherPlaces === 1 ? 'stays' : 'stay'} chosen.
          </Text>
        )}
        {ownParks.length > 0 && <NamedPlace parks={ownParks} chosen={chosen} onChange={onChange} />}
      </Box>
    </FieldGroup>
  );
}

type ParkPlacesProps = Pick<SchedulePlacesProps, 'places' | 'chosen' | 'onChange'> & { park: string };

/** The places of one park, listed once it is opened. */
function ParkPlaces({ park, places, chosen, onChange }: ParkPlacesProps) {
  const [isOpen, setOpen] = useState(false);
  const ids = places.map(({ id }) => id);
  const count = ids.filter((id) => chosen.includes(id)).length;
  return (
    <details className={rows.fold} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Text span fw={600}>
          {park}
        </Text>
        <Text span size="sm" c="dimmed">
          {count === 0 ? 'Checked as a whole' : pluralise(count, 'place')}
        </Text>
        <ChevronDown aria-hidden />
      </summary>
      {isOpen && (
        <div className={styles.content}>
          {places.length === 0 && <Text c="dimmed">{park} has no places yet. Add one below, or under Places.</Text>}
          <LongList
            items={places}
            search={`Search places of ${park}...`}
            getText={({ name }) => name}
            above={(found) =>
              found.length > 0 && (
                <AllPlaces
                  label={found.length === places.length ? 'All' : 'All Found'}
                  park={park}
                  ids={found.map(({ id }) => id)}
                  chosen={chosen}
                  onChange={onChange}
                />
              )
            }
          >
            {({ id, name, isRetired }) => (
              <li key={id}>
                <Checkbox
                  label={
                    <>
                      <span translate="no">{name}</span>
                      {isRetired && ' (retired)'}
                    </>
                  }
                  checked={chosen.includes(id)}
                  onChange={({ currentTarget }) =>
                    onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                  }
                />
              </li>
            )}
          </LongList>
        </div>
      )}
    </details>
  );
}

type AllPlacesProps = Pick<SchedulePlacesProps, 'chosen' | 'onChange'> & { label: string; park: string; ids: string[] };

/** Chooses all of these places, or none of them. */
function AllPlaces({ label, park, ids, chosen, onChange }: AllPlacesProps) {
  const count = ids.filter((id) => chosen.includes(id)).length;
  const others = chosen.filter((id) => !ids.includes(id));
  return (
    <Checkbox
      label={label}
      aria-label={`${label}: places of ${park}`}
      checked={count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={() => onChange(count === ids.length ? others : [...others, ...ids])}
    />
  );
}

type NamedPlaceProps = Pick<SchedulePlacesProps, 'parks' | 'chosen' | 'onChange'>;

/** Chooses the place of one name at each of the parks, and adds it where it is missing. */
function NamedPlace({ parks, chosen, onChange }: NamedPlaceProps) {
  const [name, setName] = useState('');
  const [status, setStatus] = useState<Status>();
  const find = (all: Place[], park: string) =>
    all.find((place) => place.park === park && getNameKey(place.name) === getNameKey(name));
  const choose = useMutation({
    mutationFn: async () => {
      const known = await queryClient.fetchQuery({ ...placesQuery, staleTime: 0 });
      const missing = parks.filter((park) => !find(known, park));
      for (const park of missing) await callApi(api.addPlaces, { body: { park: park, names: [name] } });
      const all = missing.length > 0 ? await queryClient.fetchQuery({ ...placesQuery, staleTime: 0 }) : known;
      return { found: parks.flatMap((park) => find(all, park) ?? []), added: missing.length };
    },
    onSuccess({ found, added }) {
      const usable = found.filter(({ isRetired }) => !isRetired);
      const retired = found.filter(({ isRetired }) => isRetired).map(({ park }) => park);
      onChange([...new Set([...chosen, ...usable.map(({ id }) => id)])]);
      const text = `${name.trim()} is chosen at ${pluralise(usable.length, 'park')}${added > 0 ? `, ${added} added` : ''}.`;
      setStatus(
        retired.length > 0
          ? { kind: 'error', text: `${text} It is retired at ${retired.join(', ')}. Bring it back under Places.` }
          : { kind: 'success', text },
      );
      setName('');
    },
    onError: (error) => setStatus({ kind: 'error', text: describeError(error) }),
  });
  const start = () => {
    if (name.trim() !== '' && !choose.isPending) choose.mutate();
  };
  return (
    <div>
      <div className={styles.named}>
        <TextInput
          label={parks.length === 1 ? 'A place named …' : 'A place named … at every park'}
          autoComplete="off"
          maxLength={textLimits.line}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setStatus(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Not the schedule.
            event.preventDefault();
            start();
          }}
        />
        <Button variant="default" loading={choose.isPending} disabled={name.trim() === ''} onClick={start}>
          {parks.length === 1 ? 'Choose' : 'Choose at Every Park'}
        </Button>
      </div>
      <StatusLine status={status} />
    </div>
  );
}
