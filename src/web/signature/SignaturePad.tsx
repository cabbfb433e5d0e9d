// The canvas for signatures. It fills the available space; the saved image is always 2:1.
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import Pad from 'signature_pad';
import { type SignatureSource, signatureHeight, signatureWidth, toSignaturePng } from './png.ts';
import styles from './signature.module.css';
import { fitBox, getBounds, identity, invertPlacement, placeStrokes } from './strokes.ts';

export type SignaturePadHandle = SignatureSource & { undo: () => void; clear: () => void };

type Props = {
  ref: Ref<SignaturePadHandle>;
  label: string;
  /** Called after each stroke, undo and clear. */
  onChange?: (isEmpty: boolean) => void;
};

const paperColor = 'white';
const emptySize = { width: 0, height: 0 };

/** Widths in px; `throttle` in ms. */
const pen = {
  minWidth: 0.5,
  maxWidth: 2.5,
  minDistance: 5,
  throttle: 16,
  penColor: 'black',
  backgroundColor: paperColor,
};
const resizeDebounceMs = 150;
/** Margin around the drawing in the saved image, in px. */
const margin = 20;

/**
 * A canvas for drawing a signature. Strokes survive resizing; `toPng` returns 800 by 400, black on
 * white, centred. Drawing never scrolls the page.
 */
export function SignaturePad({ ref, label, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);
  /** The current size, the size at the first stroke, and the strokes' placement since. */
  const view = useRef({ now: emptySize, drawnSize: emptySize, placement: identity });
  const changed = useRef(onChange);

  // The pad outlives many renders and must call the latest callback.
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);

  // signature_pad and the size observer work on the canvas directly, outside React.
  useEffect(() => {
    const sheet = canvas.current;
    if (!sheet) return;
    const made = new Pad(sheet, pen);
    pad.current = made;
    let isDrawing = false;
    let timer: number | undefined;

    function resize() {
      const next = { width: sheet?.clientWidth ?? 0, height: sheet?.clientHeight ?? 0 };
      // Does nothing while hidden or during a stroke, which must not be interrupted.
      if (!sheet || next.width === 0 || next.height === 0 || isDrawing) return;
      const { drawnSize, placement } = view.current;
      const strokes = placeStrokes(made.toData(), invertPlacement(placement));
      // In the original orientation strokes are as drawn; in the other one, all of them are
      // visible.
      const all = { left: 0, top: 0, right: drawnSize.width, bottom: drawnSize.height };
      view.current =
        strokes.length === 0
          ? { now: next, drawnSize: next, placement: identity }
          : { now: next, drawnSize, placement: fitBox(getBounds(strokes, all), next) };
      const ratio = Math.max(1, window.devicePixelRatio);
      sheet.width = Math.round(next.width * ratio);
      sheet.height = Math.round(next.height * ratio);
      sheet.getContext('2d')?.scale(ratio, ratio);
      made.fromData(placeStrokes(strokes, view.current.placement));
      // Tests wait for this before they draw.
      sheet.dataset.ready = 'true';
    }

    function resizeDebounced() {
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
    const observer = new ResizeObserver(resizeDebounced);
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
      // Ends a stroke that another finger may be drawing.
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
        const largeCanvas = Object.assign(document.createElement('canvas'), {
          width: signatureWidth,
          height: signatureHeight,
        });
        const copy = new Pad(largeCanvas, pen);
        const strokes = pad.current?.toData() ?? [];
        const { width, height } = view.current.now;
        const ink = fitBox(
          getBounds(strokes),
          { width: signatureWidth - 2 * margin, height: signatureHeight - 2 * margin },
          // A small signature stays small, as on paper.
          Math.max(signatureWidth / width, signatureHeight / height),
        );
        copy.fromData(placeStrokes(strokes, { ...ink, x: ink.x + margin, y: ink.y + margin }));
        copy.off();
        return toSignaturePng(largeCanvas);
      },
    };
  }, []);

  return <canvas ref={canvas} className={`${styles.canvas} ${styles.wholeSignature}`} role="img" aria-label={label} />;
}
