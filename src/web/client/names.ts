// Full names of users, shown instead of their usernames.
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '#shared/api.ts';
import type { PersonName } from '#shared/users.ts';
import { queryFor } from './api.ts';

/**
 * Returns the name to show for a username. Unknown usernames and other text are returned unchanged.
 */
type ShowName = (username: string) => string;

export const NamesContext = createContext<ShowName>((username) => username);

/** Those whose names are known, also from the copy for use offline. An earlier version copied them without ids. */
export const PeopleContext = createContext<PersonName[]>([]);

export const useNames = () => use(NamesContext);

export const createShowName = (people: PersonName[]): ShowName => {
  const names = new Map(people.map(({ username, name }) => [username, name]));
  return (username) => names.get(username) ?? username;
};

export const namesQuery = queryOptions({ ...queryFor(api.listNames), staleTime: 10 * 60_000 });
