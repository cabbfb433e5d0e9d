// Refuses statements that would change or delete all rows of a table because a condition is missing.
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';

/** The condition of statements that are meant for all rows: `.where(everyRow)`. */
export const everyRow = sql<boolean>`true`;

/** Checks each statement when it is built. Migrations, which change whole tables, run without it. */
export const conditionCheck: KyselyPlugin = {
  transformQuery({ node }) {
    if (!hasCondition(node)) throw new Error('An update or delete needs a condition: `where`, or `where(everyRow)`.');
    return node;
  },
  transformResult: async ({ result }) => result,
};

function hasCondition(node: RootOperationNode): boolean {
  if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') return node.where !== undefined;
  if (node.kind !== 'RawNode') return true;
  return !/^\s*(?:update|delete)\b/i.test(node.sqlFragments[0] ?? '') || /\bwhere\b/i.test(node.sqlFragments.join());
}
