// Reorders rows by a handle with finger, pen or mouse. A line shows the target; rows move on
// release.
import { type PointerEvent, useState } from 'react';

type DragState = {
  key: string;
  from: number;
  /** The index of the row before which the dragged row would be dropped. */
  before: number;
};

/** How near the edge of the window dragging scrolls it, and by how much, in pixels. */
const scrollEdge = 64;
const scrollStep = 12;

/** `getRows` returns the elements in order; `onMove` gets the key and the index after the move. */
export function useRowDrag(getRows: () => HTMLElement[], onMove: (key: string, to: number) => void) {
  const [drag, setDrag] = useState<DragState>();

  const getGapAt = (y: number) => {
    const gap = getRows().findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return gap < 0 ? getRows().length : gap;
  };

  const getHandleProps = (key: string, from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ key, from, before: from });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!drag) return;
      setDrag({ ...drag, before: getGapAt(event.clientY) });
      if (event.clientY < scrollEdge) window.scrollBy(0, -scrollStep);
      if (event.clientY > window.innerHeight - scrollEdge) window.scrollBy(0, scrollStep);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!drag) return;
      const before = getGapAt(event.clientY);
      const to = before > drag.from ? before - 1 : before;
      setDrag(undefined);
      if (to !== drag.from) onMove(key, to);
    },
    onPointerCancel: () => setDrag(undefined),
  });

  const isDropTarget = (index: number) =>
    drag !== undefined && drag.before === index && drag.before !== drag.from && drag.before !== drag.from + 1;
  return { getHandleProps, draggedKey: drag?.key, isDropTarget };
}
