// Entries of the activity log about records in which a name was erased. The log itself never
// changes: titles and texts that it has from before are not shown and not found.
import { type ExpressionBuilder, sql } from 'kysely';
import { listKindsWith } from '#shared/record-kinds.ts';
import type { Tables } from '../db/schema.ts';

const thingsWithTitle: string[] = listKindsWith('isTitleLogged');
/** The action of entries that contain the file name of a photo. */
const photoAction = 'opened a photo';

/** Whether an entry has a text that may contain a person's name. */
export const mayContainName = ({ thing, action }: { thing: string; action: string }): boolean =>
  (thingsWithTitle.includes(thing) && action !== erasedNameAction) || action === photoAction;

/** The action of the entry that records an erasure. That entry has no title. */
export const erasedNameAction = 'blanked a name in';

/** The condition for entries without a text from before a name in their record was erased. */
export const isWithoutErasedName = (eb: ExpressionBuilder<Tables, 'activity'>) =>
  eb.not(
    eb.and([
      eb.or([
        eb.and([eb('activity.thing', 'in', thingsWithTitle), eb('activity.action', '!=', erasedNameAction)]),
        eb('activity.action', '=', photoAction),
      ]),
      eb.exists(
        eb
          .selectFrom('blanked')
          .select(sql`1`.as('one'))
          .whereRef('blanked.thing_id', '=', 'activity.thing_id')
          .whereRef('blanked.blanked_at', '>=', 'activity.at'),
      ),
    ]),
  );
