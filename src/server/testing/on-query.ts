import type { KyselyPlugin, RootOperationNode } from 'kysely';

/** A plugin that calls a function before each query. */
export const onQuery = (work: (query: RootOperationNode) => void): KyselyPlugin => ({
  transformQuery({ node }) {
    work(node);
    return node;
  },
  transformResult: async ({ result }) => result,
});
