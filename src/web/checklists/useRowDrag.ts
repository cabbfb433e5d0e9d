// Reordering rows by a handle, with a finger, a pen or a mouse. Nothing moves until it is let go; a line shows where it will be.
import { type PointerEvent, useState } from 'react';

type Drag = {
  key: string;
  from: number;
  /** Before which row it would go, counted in the rows as they stand. */
  before: number;
};

const scrollEdge = 64;
const scrollStep = 12;

/** `rows` are the elements in order; `onMove` gets the key and where the row is to stand. */
export function useRowDrag(rows: () => HTMLElement[], onMove: (key: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();

  const gapAt = (y: number) => {
    const gap = rows().findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return gap < 0 ? rows().length : gap;
  };

  const handle = (key: string, from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ key, from, before: from });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!drag) return;
      setDrag({ ...drag, before: gapAt(event.clientY) });
      if (event.clientY < scrollEdge) window.scrollBy(0, -scrollStep);
      if (event.clientY > window.innerHeight - scrollEdge) window.scrollBy(0, scrollStep);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!drag) return;
      const before = gapAt(event.clientY);
      const to = before > drag.from ? before - 1 : before;
      setDrag(undefined);
      if (to !== drag.from) onMove(key, to);
    },
    onPointerCancel: () => setDrag(undefined),
  });

  const isGap = (index: number) =>
    drag !== undefined && drag.before === index && drag.before !== drag.from && drag.before !== drag.from + 1;
  return { handle, dragged: drag?.key, isGap };
}
