// Zooms, moves and swipes an image with fingers, mouse or keys.
import { type PointerEvent, useRef, useState } from 'react';

type View = { scale: number; x: number; y: number };
type Point = { x: number; y: number };
type Swipe = (by: 1 | -1) => void;

const initialView: View = { scale: 1, x: 0, y: 0 };
const maxScale = 6;
const scaleStep = 1.5;
const doubleTapScale = 2.5;
const minSwipePx = 50;
const doubleTapMs = 300;

/**
 * State and handlers for zooming 1 to 6 times around the centre. One finger moves a zoomed image
 * and swipes an unzoomed one: `handlers` take a callback for swipes, with 1 for next and -1 for
 * previous.
 */
export function useZoom() {
  const [view, setView] = useState(initialView);
  const pointers = useRef(new Map<number, Point>());
  const swipedPx = useRef(0);
  const lastTap = useRef(0);

  function zoomBy(factor: number) {
    setView(({ scale, x, y }) => {
      const next = Math.min(maxScale, Math.max(1, scale * factor));
      const ratio = next / scale;
      return next === 1 ? initialView : { scale: next, x: x * ratio, y: y * ratio };
    });
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    swipedPx.current = 0;
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (other) return zoomBy(distance(now, other) / Math.max(1, distance(before, other)));
    const { clientWidth, clientHeight } = event.currentTarget;
    swipedPx.current += now.x - before.x;
    setView((was) => moveView(was, now.x - before.x, now.y - before.y, clientWidth, clientHeight));
  }

  function onPointerUp(event: PointerEvent<HTMLElement>, onSwipe: Swipe) {
    const isOnlyPointer = pointers.current.size === 1;
    pointers.current.delete(event.pointerId);
    if (!isOnlyPointer) return;
    const swipeDistance = swipedPx.current;
    if (Math.abs(swipeDistance) >= minSwipePx && view.scale === 1) return onSwipe(swipeDistance < 0 ? 1 : -1);
    if (Math.abs(swipeDistance) > 10) return;
    const tapTime = event.timeStamp;
    if (tapTime - lastTap.current < doubleTapMs)
      setView(view.scale > 1 ? initialView : { ...initialView, scale: doubleTapScale });
    lastTap.current = tapTime;
  }

  function onPointerCancel(event: PointerEvent<HTMLElement>) {
    pointers.current.delete(event.pointerId);
  }

  return {
    scale: view.scale,
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    zoomIn: () => zoomBy(scaleStep),
    zoomOut: () => zoomBy(1 / scaleStep),
    reset: () => setView(initialView),
    handlers: (onSwipe: Swipe) => ({
      onPointerDown,
      onPointerMove,
      onPointerUp: (event: PointerEvent<HTMLElement>) => onPointerUp(event, onSwipe),
      onPointerCancel,
    }),
  };
}

/** Moves the image, but not beyond its edges. */
function moveView({ scale, x, y }: View, deltaX: number, deltaY: number, width: number, height: number): View {
  const maxOffsetX = ((scale - 1) * width) / 2;
  const maxOffsetY = ((scale - 1) * height) / 2;
  return { scale, x: clamp(x + deltaX, maxOffsetX), y: clamp(y + deltaY, maxOffsetY) };
}

const clamp = (value: number, maxOffset: number): number => Math.min(maxOffset, Math.max(-maxOffset, value));

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
