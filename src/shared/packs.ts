// Packs: copies of chosen reports as a zip, for an inspector or an insurer.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { lineSchema, linesSchema } from './text.ts';

export const packLimits = {
  /** Maximum number of reports in one pack. */
  reports: 200,
  /** Maximum number of packs of one user at a time. */
  packs: 10,
  /** Days for which the file is stored. */
  days: 7,
  bytes: 2_000_000_000,
} as const;

const packStates = ['waiting', 'making', 'ready', 'failed', 'expired'] as const;
export type PackState = (typeof packStates)[number];

export const isInProgress = ({ state }: { state: PackState }) => state === 'waiting' || state === 'making';

export const NewPack = z.object({
  recipient: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter who the pack is for' }),
  purpose: linesSchema({ min: 1, max: textLimits.reason, missing: 'Enter why they need it' }),
  /** Leaves out names, numbers, ages, details, types, locations, signatures and photos. */
  withoutNames: z.boolean(),
  /** Adds the investigations that cover the reports; never to a pack without names. */
  withInvestigations: z.optional(z.boolean()),
  /** Ids of reports. */
  reports: z
    .array(lineSchema({ min: 1, max: 40 }), 'Choose at least one report')
    .check(
      z.minLength(1, 'Choose at least one report'),
      z.maxLength(packLimits.reports, `A pack has at most ${packLimits.reports} reports. Choose fewer.`),
    ),
});
export type NewPack = z.output<typeof NewPack>;

export const Pack = z.object({
  id: z.string(),
  recipient: z.string(),
  purpose: z.string(),
  withoutNames: z.boolean(),
  withInvestigations: z.boolean(),
  reports: z.number(),
  state: z.enum(packStates),
  /** Completed steps, and all steps. */
  done: z.number(),
  total: z.number(),
  /** The reason if it failed or expired early. */
  problem: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.nullable(z.string()),
});
export type Pack = z.output<typeof Pack>;
