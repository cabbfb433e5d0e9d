// A pasted image is a photo for the picker that is nearest to where it is pasted.
import { type RefObject, useEffect, useEffectEvent } from 'react';

const pickers = new Map<Element, (files: File[]) => void>();

/** Passes images that are pasted in or near this element on to `add`, unless a picker nearer to the focus takes them. */
export function usePastedPhotos(element: RefObject<Element | null>, add: (files: File[]) => void): void {
  const addPasted = useEffectEvent(add);
  useEffect(() => {
    const picker = element.current;
    if (!picker) return;
    if (pickers.size === 0) document.addEventListener('paste', handlePaste);
    pickers.set(picker, addPasted);
    return () => {
      pickers.delete(picker);
      if (pickers.size === 0) document.removeEventListener('paste', handlePaste);
    };
  }, [element]);
}

function handlePaste(event: ClipboardEvent) {
  const { clipboardData, target } = event;
  const files = [...(clipboardData?.files ?? [])];
  if (files.length === 0 || !(target instanceof Element)) return;
  // A copied table cell is text and an image of it; where text can be typed, it is meant as text.
  const isTyping = target.closest('input, textarea, [contenteditable]') !== null;
  if (isTyping && clipboardData?.types.includes('text/plain')) return;
  const add = findPicker(target);
  if (!add) return;
  event.preventDefault();
  add(files);
}

/** Returns the picker of the innermost element around the target that has one; of several, the one in the middle of the window. */
function findPicker(target: Element): ((files: File[]) => void) | undefined {
  const usable = [...pickers].filter(([picker]) => !picker.closest('[inert]'));
  for (let around: Element | null = target; around; around = around.parentElement) {
    const inside = usable.filter(([picker]) => around?.contains(picker));
    const [nearest] = inside.sort(([a], [b]) => getDistance(a) - getDistance(b));
    if (nearest) return nearest[1];
  }
}

/** How far the middle of an element is from the middle of the window, in pixels. */
function getDistance(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom) / 2 - window.innerHeight / 2);
}
