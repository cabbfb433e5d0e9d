import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { matchesSearch } from '#shared/text.ts';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import rows from '../ui/theme/rows.module.css';

/** How many rows are shown before the user searches or presses Show All. */
export const shownAtFirst = 10;

type LongListProps<Item> = {
  items: Item[];
  /** The label of the search. */
  search: string;
  getText: (item: Item) => string;
  /** What stands between the search and the rows, for those that were found. */
  above?: (found: Item[]) => ReactNode;
  children: (item: Item) => ReactNode;
};

/** A list of which a park may have hundreds: the first rows, a search, and all of them when asked for. */
export function LongList<Item>({ items, search, getText, above, children }: LongListProps<Item>) {
  const [text, setText] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = items.filter((item) => matchesSearch([getText(item)], text));
  const shown = isWhole ? found : found.slice(0, shownAtFirst);
  return (
    <>
      {items.length > shownAtFirst && (
        <SearchBox label={search} placeholder="Search places..." value={text} onSearch={setText} />
      )}
      {above?.(found)}
      <ul className={rows.list}>{shown.map(children)}</ul>
      {found.length === 0 && items.length > 0 && <Text c="dimmed">Nothing found.</Text>}
      {found.length > shown.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show All {found.length}
        </Button>
      )}
    </>
  );
}
