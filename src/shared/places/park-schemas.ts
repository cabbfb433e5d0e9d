// Schemas of parks. They are apart from the list, which the first screen loads without them.
import * as z from 'zod/mini';
import { isPark, parseParks } from '../park-list.ts';

const message = 'Choose a park';

export const parkSchema = z.string(message).check(z.refine(isPark, message));

/** The schema of at least one park, separated by commas. In a query each may have a parameter of its own. */
export const parkListSchema = z.pipe(
  z.string().check(
    z.maxLength(20_000),
    z.refine((text) => text.split(',').every(isPark), message),
  ),
  z.transform(parseParks),
);

/** Whether a record arrived while its park was closed, in replies. */
export const ParkWasClosed = z.optional(z.literal(true));
