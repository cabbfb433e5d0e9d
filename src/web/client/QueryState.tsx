import type { ReactNode } from 'react';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { isNotFound } from './errors.ts';

type QueryStateProps = {
  query: { data: unknown; error: unknown; refetch: () => unknown };
  /** What to say if it could not be loaded; and of a page if there is no such record. */
  failed: string;
  notFound?: string;
  loading?: string;
  shape?: 'rows' | 'fields';
  /** The way back from a page of its own, whose heading is the error. */
  back?: ReactNode;
};

/** In place of what a query has not loaded: that it is loading, or why it is not there. */
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
