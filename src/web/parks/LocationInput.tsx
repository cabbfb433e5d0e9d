import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import { usePlaces } from './usePlaces.ts';

/** A location: any text, with the park's places as suggestions. */
export function LocationInput({ park, ...props }: TextInputProps & { park: string }) {
  const { data: places } = usePlaces();
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
