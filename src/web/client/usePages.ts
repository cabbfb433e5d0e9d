import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint, Query, Reply } from '#shared/contract.ts';
import { callApi } from './api.ts';

type Cursor<R extends ClientEndpoint> = Partial<Query<R, 'input'>>;
type Row<R extends ClientEndpoint> = Reply<R> extends (infer One)[] ? One : never;

/**
 * A list that is loaded page by page. `next` names the last record of a page in the query of the page after it. With
 * other filters, the list before stays until the new one has loaded.
 */
export function usePages<R extends ClientEndpoint>(
  endpoint: R,
  input: EndpointInput<R>,
  limit: number,
  next: (last: Row<R>) => Cursor<R>,
) {
  // Nothing in it is worth keeping between two renderings, and devices of staff store it.
  'use no memo';
  return useInfiniteQuery({
    queryKey: [endpoint.path, 'pages', input],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(input as { query?: object }).query, ...(pageParam as object | undefined), limit };
      const page = { ...input, query, signal } as unknown as EndpointInput<R>;
      return callApi<R>(endpoint, page) as Promise<Row<R>[]>;
    },
    initialPageParam: undefined as Cursor<R> | undefined,
    getNextPageParam: (page) => (page.length === limit ? next(page[limit - 1] as Row<R>) : undefined),
    placeholderData: 'params' in input ? undefined : keepPreviousData,
  });
}
