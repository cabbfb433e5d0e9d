// The canvas for signatures. It fills the available space; the saved image is always 2:1.
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import Pad, { type PointGroup } from 'signature_pad';
import { type SignatureSource, signatureHeight, signatureWidth, toSignaturePng } from './png.ts';
import styles from './signature.module.css';
import { fitBox, getBounds, identityPlacement, invertPlacement, placeStrokes } from './strokes.ts';

export type SignaturePadHandle = SignatureSource & { undo: () => void; clear: () => void };

/** Strokes, and the size in px of the canvas on which they were drawn. */
export type Drawing = { strokes: PointGroup[]; size: { width: number; height: number } };

const emptySize = { width: 0, height: 0 };
export const emptyDrawing: Drawing = { strokes: [], size: emptySize };

type SignaturePadProps = {
  ref: Ref<SignaturePadHandle>;
  label: string;
  start?: Drawing;
  /** Called after each stroke, undo and clear. */
  onChange?: (drawing: Drawing) => void;
};

const paperColor = 'white';

/** Widths in px; `throttle` in ms. */
const penOptions = {
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

type View = { drawnSize: Drawing['size']; placement: typeof identityPlacement };

const getDrawing = (pad: Pad, { drawnSize, placement }: View): Drawing => ({
  strokes: placeStrokes(pad.toData(), invertPlacement(placement)),
  size: drawnSize,
});

/**
 * A canvas for drawing a signature. Strokes survive resizing; `toPng` returns 800 by 400, black on
 * white, centred. Drawing never scrolls the page.
 */
export function SignaturePad({ ref, label, start = emptyDrawing, onChange }: SignaturePadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);
  /** The current size, the size when the strokes were drawn, and the transform between the two. */
  const view = useRef({ size: emptySize, drawnSize: start.size, placement: identityPlacement });
  const firstStrokes = useRef(start.strokes);
  const latestOnChange = useRef(onChange);

  // The pad outlives many renders and must call the latest callback.
  useEffect(() => {
    latestOnChange.current = onChange;
  }, [onChange]);

  // signature_pad and the size observer work on the canvas directly, outside React.
  useEffect(() => {
    const canvasElement = canvas.current;
    if (!canvasElement) return;
    const drawingPad = new Pad(canvasElement, penOptions);
    // Drawn to fit by the first `resize`.
    drawingPad.fromData(firstStrokes.current);
    pad.current = drawingPad;
    let isDrawing = false;
    let timer: number | undefined;

    function resize() {
      const next = { width: canvasElement?.clientWidth ?? 0, height: canvasElement?.clientHeight ?? 0 };
      // Does nothing while hidden or during a stroke, which must not be interrupted.
      if (!canvasElement || next.width === 0 || next.height === 0 || isDrawing) return;
      const { strokes, size: drawnSize } = getDrawing(drawingPad, view.current);
      // In the original orientation strokes are as drawn; in the other one, all of them are
      // visible.
      const drawnBox = { left: 0, top: 0, right: drawnSize.width, bottom: drawnSize.height };
      view.current =
        strokes.length === 0
          ? { size: next, drawnSize: next, placement: identityPlacement }
          : { size: next, drawnSize, placement: fitBox(getBounds(strokes, drawnBox), next) };
      const ratio = Math.max(1, window.devicePixelRatio);
      canvasElement.width = Math.round(next.width * ratio);
      canvasElement.height = Math.round(next.height * ratio);
      canvasElement.getContext('2d')?.scale(ratio, ratio);
      drawingPad.fromData(placeStrokes(strokes, view.current.placement));
      // Tests wait for this before they draw.
      canvasElement.dataset.ready = 'true';
    }

    function resizeDebounced() {
      window.clearTimeout(timer);
      timer = window.setTimeout(resize, view.current.size.width ? resizeDebounceMs : 0);
    }

    drawingPad.addEventListener('beginStroke', () => {
      isDrawing = true;
    });
    drawingPad.addEventListener('endStroke', () => {
      isDrawing = false;
      const { size } = view.current;
      if (canvasElement.clientWidth !== size.width || canvasElement.clientHeight !== size.height) resize();
      latestOnChange.current?.(getDrawing(drawingPad, view.current));
    });
    const observer = new ResizeObserver(resizeDebounced);
    observer.observe(canvasElement);
    return () => {
      observer.disconnect();
      window.clearTimeout(timer);
      drawingPad.off();
    };
  }, []);

  useImperativeHandle(ref, () => {
    function redraw(change: (pad: Pad) => void) {
      const drawingPad = pad.current;
      if (!drawingPad) return;
      // One finger may press Undo or Clear while another draws: this ends its stroke.
      drawingPad.off();
      change(drawingPad);
      drawingPad.on();
      latestOnChange.current?.(getDrawing(drawingPad, view.current));
    }
    return {
      isEmpty: () => pad.current?.isEmpty() ?? true,
      undo: () => redraw((drawingPad) => drawingPad.fromData(drawingPad.toData().slice(0, -1))),
      clear: () => redraw((drawingPad) => drawingPad.clear()),
      toPng: () => {
        const largeCanvas = Object.assign(document.createElement('canvas'), {
          width: signatureWidth,
          height: signatureHeight,
        });
        const copy = new Pad(largeCanvas, penOptions);
        const strokes = pad.current?.toData() ?? [];
        const { width, height } = view.current.size;
        const inkPlacement = fitBox(
          getBounds(strokes),
          { width: signatureWidth - 2 * margin, height: signatureHeight - 2 * margin },
          // A small signature stays small, as on paper.
          Math.max(signatureWidth / width, signatureHeight / height),
        );
        copy.fromData(
          placeStrokes(strokes, { ...inkPlacement, x: inkPlacement.x + margin, y: inkPlacement.y + margin }),
        );
        copy.off();
        return toSignaturePng(largeCanvas);
      },
    };
  }, []);

  return <canvas ref={canvas} className={`${styles.canvas} ${styles.wholeSignature}`} role="img" aria-label={label} />;
}
