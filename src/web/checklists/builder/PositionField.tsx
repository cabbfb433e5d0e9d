import { type KeyboardEvent, useState } from 'react';
import styles from './SectionRow.module.css';

type PositionFieldProps = {
  /** Counted from 0. */
  index: number;
  count: number;
  onMove: (to: number) => void;
};

/** The number of a section. Entering another number moves the section to that position. */
export function PositionField({ index, count, onMove }: PositionFieldProps) {
  const [typed, setTyped] = useState<string>();

  const commit = () => {
    const position = Number(typed);
    setTyped(undefined);
    if (!typed || !Number.isInteger(position)) return;
    const to = Math.min(Math.max(position, 1), count) - 1;
    if (to !== index) onMove(to);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      setTyped(undefined);
    }
    if (event.key !== 'Enter') return;
    // Enter would save the checklist.
    event.preventDefault();
    commit();
  };

  return (
    <label className="line tight strong">
      Section
      <input
        className={styles.position}
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Position of section ${index + 1}, of ${count}`}
        value={typed ?? index + 1}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, '').slice(0, 3))}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={onKeyDown}
        onBlur={commit}
      />
    </label>
  );
}
