// Hazards: dangers that users report before someone is hurt. A hazard is an audit in its park's folder
// 'Hazards'.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { parkSchema } from './park-schemas.ts';

export const hazardKinds = [
  'Trip or slip',
  'Broken or loose',
  'Electrical',
  'Gas or smell',
  'Water or pool',
  'Fire',
  'People or vehicles',
  'Other',
] as const;
export type HazardKind = (typeof hazardKinds)[number];

const urgentKinds: readonly HazardKind[] = ['Electrical', 'Gas or smell', 'Water or pool', 'Fire'];
/** Whether a hazard of this kind must be made safe at once. */
export const isUrgentKind = (kind: HazardKind | null | undefined) => urgentKinds.some((one) => one === kind);

/** What a hazard has besides an audit's location, description and photos. */
export const HazardFields = z.object({
  park: parkSchema,
  kind: z.optional(z.enum(hazardKinds, 'Choose one of the kinds')),
  wasNearlyHurt: z._default(z.boolean(), false),
});

/** `Electrical: Plot 12`; without a kind `Hazard: Plot 12`. */
export const getHazardTitle = (kind: HazardKind | null | undefined, location: string) =>
  [...`${kind ?? 'Hazard'}: ${location}`].slice(0, textLimits.line).join('');

export const nearlyHurtLabel = 'Was someone nearly hurt?';

/** A park's telephone number for what must be made safe at once. */
export const ParkNumber = z.object({ park: z.string(), telephone: z.string() });
