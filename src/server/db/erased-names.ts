// Entries of the activity log about records in which a name was erased. The log itself never
// changes: titles and texts that it has from before are not shown and not found.
import { type ExpressionBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** The log has titles and texts of these records; of others it has numbers and names of fields. */
const thingsWithTitle = ['audit', 'folder'];
/** The action of an entry that has the name of a photo's file. */
const photoAction = 'opened a photo';

/** Whether an entry has a text that may have a person's name. */
export const mayContainName = ({ thing, action }: { thing: string; action: string }): boolean =>
  (thingsWithTitle.includes(thing) && action !== erasedNameAction) || action === photoAction;

/** The action of the entry for an erased name, which has no title. */
export const erasedNameAction = 'blanked a name in';

/** Whether an entry has no text from before a name in its record was erased. */
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
