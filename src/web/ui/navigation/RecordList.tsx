// A list of records: it is being loaded, could not be loaded, is empty, or has rows and perhaps further pages.
import { Box, Button, Text } from '@mantine/core';
import { type ComponentProps, Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { ErrorBox } from '../feedback/ErrorBox.tsx';
import { Loading } from '../loading/Loading.tsx';
import rows from '../theme/rows.module.css';
import styles from './ShowMore.module.css';
import { ShowMore } from './ShowMore.tsx';

type Pages = ComponentProps<typeof ShowMore>['list'];

type Query<Row> = { data: Row[] | { pages: Row[][] } | undefined; error: unknown; refetch: () => unknown } & Partial<
  Omit<Pages, 'data'>
>;

/**
 * What `useQuery` or `usePages` returned, and the message if it could not be loaded: records that were loaded before
 * stay below it. Or records that came with something else.
 */
type Source<Row> =
  | { query: Query<Row>; failed: string }
  | { query: Partial<Query<Row>> & { data: Row[]; error?: undefined }; failed?: undefined };

type RecordListProps<Row> = Source<Row> & {
  /** Set for a list that is not stored on the device: an error while offline then says so. */
  isNotStored?: boolean;
  /** Why it could not be loaded, in the server's words. */
  reason?: string | undefined;
  loading?: string;
  /** The shape of the placeholder while it loads; false for none. */
  shape?: 'rows' | 'cards' | false;
  /** Shown if there are no records: a sentence, or an illustration and what to do next. */
  empty?: string | ComponentProps<typeof EmptyState> | undefined;
  /** Shown above the records, unless there are none: for example the buttons that export them. */
  above?: ReactNode;
  /** Shown between the records and the button for more. */
  below?: ReactNode;
  /** How many records of a list that is loaded whole are shown at first, and with each press for more. */
  step?: number;
  /** The class of the list, unless it is one of bordered rows. */
  className?: string | undefined;
  /** What the list is called, if no heading says so. */
  label?: string;
  /** Returns the list item of a record, for example a RecordRow. A record without an id has an item with a key. */
  row?: (record: Row) => ReactElement;
  /** Instead of `row`: shows the records in another form, for example as groups. */
  children?: (records: Row[]) => ReactNode;
};

export function RecordList<Row>({
  query,
  failed = '',
  isNotStored,
  reason,
  loading,
  shape = 'rows',
  step = Infinity,
  ...shown
}: RecordListProps<Row>) {
  // Compiled callers draw it again only if something in it changed; compiled too, it would only be larger.
  'use no memo';
  const { data, error, isPlaceholderData, isFetchNextPageError } = query;
  const records = data && 'pages' in data ? data.pages.flat() : data;
  const [presses, setPresses] = useState(1);
  const left = records ? records.length - presses * step : 0;
  return (
    <>
      {!records && !error && <Loading shape={shape || undefined} text={loading} />}
      {error && !isFetchNextPageError && failed && (
        <Box mb="md">
          <ErrorBox message={failed} isNotStored={isNotStored} reason={reason} onRetry={() => query.refetch?.()} />
        </Box>
      )}
      {records && showRecords(records.slice(0, presses * step), shown, isPlaceholderData)}
      {left > 0 && (
        <div className={styles.more}>
          <Button variant="default" onClick={() => setPresses(presses + 1)}>
            {`Show More (${left} left)`}
          </Button>
        </div>
      )}
      {data && 'pages' in data && <ShowMore list={query as Pages} />}
    </>
  );
}

function showRecords<Row>(
  records: Row[],
  { empty, above, below, className = rows.list, label, row, children }: Partial<RecordListProps<Row>>,
  isBusy = false,
) {
  if (records.length === 0)
    return typeof empty === 'string' ? <Text c="dimmed">{empty}</Text> : empty && <EmptyState {...empty} />;
  return (
    <>
      {above}
      {children?.(records)}
      {row && (
        <ul className={className} aria-label={label} aria-busy={isBusy || undefined}>
          {records.map((record) => {
            const item = row(record);
            return <Fragment key={item.key ?? (record as { id: string }).id}>{item}</Fragment>;
          })}
        </ul>
      )}
      {below}
    </>
  );
}
