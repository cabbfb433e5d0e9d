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

/** The foot of a list that comes page by page. What goes wrong there is said there, and the pages before it stay. */
export function ShowMore({ list }: ShowMoreProps) {
  const more = () => void list.fetchNextPage();
  const isWhole = !list.hasNextPage;
  if (isWhole && (list.isPlaceholderData || (list.data?.pages.length ?? 0) < 2)) return null;
  return (
    <div className={styles.more}>
      {isWhole ? (
        // In the place of the button, which may have had the focus.
        <p tabIndex={-1} className={styles.end}>
          End of list.
        </p>
      ) : list.isFetchNextPageError ? (
        <ErrorBox message="More could not be loaded." onRetry={more} />
      ) : (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={more}>
          Show more
        </Button>
      )}
    </div>
  );
}
