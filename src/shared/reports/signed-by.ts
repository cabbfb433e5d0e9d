// Who signed, if not the person the signature is for: a parent, carer or witness.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { lineSchema } from '../text.ts';

export const signingCapacities = ['Parent or guardian', 'Carer', 'Could not sign'] as const;
/**
 * Who signed for someone else. `reason` is why that person could not sign; it is removed for other
 * capacities.
 */
export const SignedBy = z.pipe(
  z
    .object({
      name: lineSchema({ min: 1, max: textLimits.name, missing: 'Enter the name of the person signing' }),
      capacity: z.enum(signingCapacities, 'Choose why someone else is signing'),
      reason: z._default(lineSchema({ max: textLimits.line }), ''),
    })
    .check(
      z.refine(({ capacity, reason }) => capacity !== 'Could not sign' || reason !== '', {
        error: 'Enter why they could not sign',
        path: ['reason'],
      }),
    ),
  z.transform((signer) => ({ ...signer, reason: signer.capacity === 'Could not sign' ? signer.reason : '' })),
);
export type SignedBy = z.output<typeof SignedBy>;

/** A signer as it is stored. The capacity is not restricted to the current choices. */
export const StoredSignedBy = z.object({ name: z.string(), capacity: z.string(), reason: z.string() });
export type StoredSignedBy = z.output<typeof StoredSignedBy>;

/** `Signed for Ellie Barker, as parent or guardian`, shown beside the signer's name. */
export function formatSignedFor({ capacity, reason }: StoredSignedBy, person: string): string {
  const how = capacity === 'Could not sign' ? `who could not sign because ${reason}` : `as ${capacity.toLowerCase()}`;
  return `Signed for ${person}, ${how}`;
}

/** `Signed by Mary Barker for Ellie Barker, as parent or guardian`. */
export const formatSignedBy = (signedBy: StoredSignedBy, person: string): string =>
  formatSignedFor(signedBy, person).replace('Signed for', () => `Signed by ${signedBy.name} for`);
