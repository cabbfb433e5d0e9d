import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ErrorBox } from '../feedback/ErrorBox.tsx';
import styles from './ShowMore.module.css';

type ShowMoreProps = {
  list: Pick<
    UseInfiniteQueryResult<{ pages: unknown[] }>,
    'data' | 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
};

/** The end of a paged list: loads more, and shows errors while earlier pages stay. */
export function ShowMore({ list }: ShowMoreProps) {
  const loadMore = () => void list.fetchNextPage();
  const isWhole = !list.hasNextPage;
  if (isWhole && (list.isPlaceholderData || (list.data?.pages.length ?? 0) < 2)) return null;
  return (
    <div className={styles.more}>
      {isWhole ? (
        // Replaces the button, which may have had the focus.
        <p tabIndex={-1} className={styles.end}>
          End of list.
        </p>
      ) : list.isFetchNextPageError ? (
        <ErrorBox message="More could not be loaded." onRetry={loadMore} />
      ) : (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={loadMore}>
          Show More
        </Button>
      )}
    </div>
  );
}
