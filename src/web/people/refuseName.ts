import { queryClient } from '../client/api.ts';
import { namesQuery } from '../client/names.ts';
import { isUserOf } from './findPerson.ts';

/** For fields with `usersOnly`: the message if no user who sees the park is meant, as far as the users are loaded. */
export function refuseName(value: string, park: string): string | undefined {
  const people = queryClient.getQueryData(namesQuery.queryKey);
  return value === '' || !people || isUserOf(people, value, park) ? undefined : `Choose a user who sees ${park}`;
}
