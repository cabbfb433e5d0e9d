import { TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { placesQuery } from './places.ts';

/** A location: any text, with the park's places as suggestions. */
export function LocationInput({ park, ...props }: TextInputProps & { park: string }) {
  const user = useUser();
  const { data: places } = useQuery({ ...placesQuery, enabled: user.id !== signedOutUserId });
  const id = useId();
  return (
    <>
      <TextInput autoComplete="off" {...props} list={id} />
      <datalist id={id}>
        {places
          ?.filter((place) => place.park === park && !place.isRetired)
          .map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
      </datalist>
    </>
  );
}
