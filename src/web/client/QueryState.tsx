import type { ReactNode } from 'react';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { isNotFound } from './errors.ts';

type QueryStateProps = {
  query: { data: unknown; error: unknown; refetch: () => unknown };
  /** The messages if it could not be loaded, and if the record of a page does not exist. */
  failed: string;
  notFound?: string;
  loading?: string;
  shape?: 'rows' | 'fields' | 'cards';
  /** For a whole page: a link back, shown with the error as the heading. */
  back?: ReactNode;
};

/** Shows that a query is loading, or why it failed; nothing once it has data. */
export function QueryState({ query, failed, notFound, loading, shape = 'rows', back }: QueryStateProps) {
  if (query.data !== undefined) return null;
  if (!query.error) return <Loading shape={shape} {...(loading && { text: loading })} />;
  if (notFound && isNotFound(query.error))
    return (
      <ErrorBox isPage message={notFound}>
        {back}
      </ErrorBox>
    );
  return (
    <ErrorBox isPage={notFound !== undefined} message={failed} onRetry={() => query.refetch()}>
      {back}
    </ErrorBox>
  );
}
