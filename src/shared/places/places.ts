// Places of a park, such as a pitch, a pool or a play area, and the locations typed in reports and audits.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { foldText, isStorable, lineSchema } from '../text.ts';
import { parkSchema } from './park-schemas.ts';

/**
 * The place that was chosen for a typed location. One that cannot be used is ignored, so that nothing is
 * rejected because of it.
 */
export const PlaceId = z.catch(z.optional(z.string()), undefined);

const maxPlaceIdLength = 100;
/** The id of a place, which may be unknown. */
export const SentPlaceId = z.string().check(z.minLength(1), z.maxLength(maxPlaceIdLength), z.refine(isStorable));

/**
 * The place of a submitted checklist; null for the park as a whole, and absent from pages that know no places. One
 * that is invalid is a place that is not known.
 */
export const SubmissionPlaceId = z.optional(z.nullable(z.catch(SentPlaceId, 'invalid')));

const PlaceName = lineSchema({ min: 1, max: textLimits.line, missing: 'Give the place a name' });

export const Place = z.object({
  id: z.string(),
  park: z.string(),
  name: z.string(),
  isRetired: z.boolean(),
  /** The code on its label, if it has one. */
  label: z.optional(z.string()),
});
export type Place = z.output<typeof Place>;

/** The place of a record, for a link to its page. */
export const PlaceOfRecord = z.optional(z.object({ id: z.string(), name: z.string() }));
export type PlaceOfRecord = z.output<typeof PlaceOfRecord>;
/** A value of `PlaceFilter`: records without a place. */
export const noPlace = 'none';
/** A filter of lists: the id of a place, or `noPlace`. */
export const PlaceFilter = z.optional(z.string());

/** How many places one request may add. */
const maxPlacesAtOnce = 2000;

export const NewPlaces = z.object({
  park: parkSchema,
  /** Those that exist already are left out. */
  names: z
    .array(PlaceName)
    .check(
      z.minLength(1, 'Give the place a name'),
      z.maxLength(maxPlacesAtOnce, `Add at most ${maxPlacesAtOnce} places at once`),
    ),
});

export const PlaceChange = z.object({ name: z.optional(PlaceName), isRetired: z.optional(z.boolean()) });

export const ParkQuery = z.object({ park: parkSchema });

/** Typed locations of a park that are not a place yet, and the links that reviewers made later. */
export const Locations = z.object({
  /** Similar spellings together, most records first. */
  typed: z.array(z.object({ key: z.string(), spellings: z.array(z.string()), count: z.number() })),
  /** Records that a reviewer linked to a place at once, latest first. */
  linked: z.array(z.object({ placeId: z.string(), by: z.string(), at: z.string(), count: z.number() })),
});
export type Locations = z.output<typeof Locations>;

/** Links all records of a typed location to a place, which is created if there is none of that name. */
export const LocationLink = z.object({ ...ParkQuery.shape, key: z.string(), name: PlaceName });
export const LocationUnlink = z.object({ placeId: z.string(), at: z.string() });

/** Returns a key that is the same for spellings such as `Plot 12`, `plot12` and `12, Plot`. */
export const getLocationKey = (location: string) =>
  (foldText(location).match(/\p{L}+|\p{N}+/gu) ?? []).toSorted().join(' ');

/** How many labels may be printed on a page. */
export const labelSizes = ['2', '8', '24'] as const;
/** Whom a label tells what to do: staff come to the place's page, guests to the guests' pages. */
export const labelReaders = ['staff', 'guests'] as const;
/** Labels of a park's places that are not retired, or of one place; for guests, of those that have a code. */
export const LabelQuery = z.object({
  ...ParkQuery.shape,
  /** By default guests, where they have pages. */
  for: z.optional(z.enum(labelReaders, 'Choose staff or guests')),
  size: z.enum(labelSizes, 'Choose 2, 8 or 24 labels'),
  place: z.optional(z.string()),
});
/** Gives the place a new label, which replaces any earlier one, or switches its label off. */
export const LabelChange = z.object({ isOn: z.boolean('Say whether the place has a label') });
