// The canvas people sign on. It takes all the room there is; the saved image is always twice as wide as high.
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import Pad from 'signature_pad';
import { type SignatureSource, signatureHeight, signatureWidth, toSignaturePng } from './png.ts';
import styles from './signature.module.css';
import { asDrawn, fitInto, getBounds, placeStrokes, reverse } from './strokes.ts';

export type SignaturePadHandle = SignatureSource & { undo: () => void; clear: () => void };

type Props = {
  ref: Ref<SignaturePadHandle>;
  label: string;
  /** Told after each stroke, undo and clear. */
  onChange?: (isEmpty: boolean) => void;
};

const paper = 'white';
const noSize = { width: 0, height: 0 };

/** Widths in px; `throttle` in ms. */
const pen = { minWidth: 0.5, maxWidth: 2.5, minDistance: 5, throttle: 16, penColor: 'black', backgroundColor: paper };
const resizeDebounceMs = 150;
/** Paper left around the ink in the saved image, in its pixels. */
const margin = 20;

/**
 * A canvas for drawing a signature. Its strokes survive any change of size, and the image that `toPng` returns is 800 by 400,
 * black on white, with the ink in the middle, whatever the screen. Drawing on it never scrolls the page.
 */
export function SignaturePad({ ref, label, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);
  /** The size now; the size when the first stroke was drawn; and where the strokes went from there. */
  const view = useRef({ now: noSize, drawnOn: noSize, placement: asDrawn });
  const changed = useRef(onChange);

  // The pad outlives many renders and must call the newest callback.
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);

  // signature_pad and the observer of the size live on the canvas itself, outside React.
  useEffect(() => {
    const sheet = canvas.current;
    if (!sheet) return;
    const made = new Pad(sheet, pen);
    pad.current = made;
    let isDrawing = false;
    let timer: number | undefined;

    function resize() {
      const next = { width: sheet?.clientWidth ?? 0, height: sheet?.clientHeight ?? 0 };
      // Hidden, or in the middle of a stroke, which must not be torn.
      if (!sheet || next.width === 0 || next.height === 0 || isDrawing) return;
      const { drawnOn, placement } = view.current;
      const strokes = placeStrokes(made.toData(), reverse(placement));
      // Turned and turned back, they are as they were drawn; until then all of them are in sight.
      const all = { left: 0, top: 0, right: drawnOn.width, bottom: drawnOn.height };
      view.current =
        strokes.length === 0
          ? { now: next, drawnOn: next, placement: asDrawn }
          : { now: next, drawnOn, placement: fitInto(getBounds(strokes, all), next) };
      const ratio = Math.max(1, window.devicePixelRatio);
      sheet.width = Math.round(next.width * ratio);
      sheet.height = Math.round(next.height * ratio);
      sheet.getContext('2d')?.scale(ratio, ratio);
      made.fromData(placeStrokes(strokes, view.current.placement));
      // It can be drawn on from now on.
      sheet.dataset.ready = 'true';
    }

    function resizeSoon() {
      window.clearTimeout(timer);
      timer = window.setTimeout(resize, view.current.now.width ? resizeDebounceMs : 0);
    }

    made.addEventListener('beginStroke', () => {
      isDrawing = true;
    });
    made.addEventListener('endStroke', () => {
      isDrawing = false;
      const { now } = view.current;
      if (sheet.clientWidth !== now.width || sheet.clientHeight !== now.height) resize();
      changed.current?.(made.isEmpty());
    });
    const observer = new ResizeObserver(resizeSoon);
    observer.observe(sheet);
    return () => {
      observer.disconnect();
      window.clearTimeout(timer);
      made.off();
    };
  }, []);

  useImperativeHandle(ref, () => {
    function redraw(change: (pad: Pad) => void) {
      const made = pad.current;
      if (!made) return;
      // Lets go of a stroke that another finger may be drawing just now.
      made.off();
      change(made);
      made.on();
      changed.current?.(made.isEmpty());
    }
    return {
      isEmpty: () => pad.current?.isEmpty() ?? true,
      undo: () => redraw((made) => made.fromData(made.toData().slice(0, -1))),
      clear: () => redraw((made) => made.clear()),
      toPng: () => {
        const large = Object.assign(document.createElement('canvas'), {
          width: signatureWidth,
          height: signatureHeight,
        });
        const copy = new Pad(large, pen);
        const strokes = pad.current?.toData() ?? [];
        const { width, height } = view.current.now;
        const ink = fitInto(
          getBounds(strokes),
          { width: signatureWidth - 2 * margin, height: signatureHeight - 2 * margin },
          // A small signature stays small, as it does on paper.
          Math.max(signatureWidth / width, signatureHeight / height),
        );
        copy.fromData(placeStrokes(strokes, { ...ink, x: ink.x + margin, y: ink.y + margin }));
        copy.off();
        return toSignaturePng(large);
      },
    };
  }, []);

  return <canvas ref={canvas} className={`${styles.canvas} ${styles.whole}`} role="img" aria-label={label} />;
}
