import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ErrorBox } from './ErrorBox.tsx';
import styles from './ShowMore.module.css';

type ShowMoreProps = {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
};

/** The foot of a list that comes page by page. What goes wrong there is said there, and the pages before it stay. */
export function ShowMore({ list }: ShowMoreProps) {
  const more = () => void list.fetchNextPage();
  if (!list.hasNextPage) return null;
  return (
    <div className={styles.more}>
      {list.isFetchNextPageError ? (
        <ErrorBox message="More could not be loaded." onRetry={more} />
      ) : (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={more}>
          Show more
        </Button>
      )}
    </div>
  );
}
