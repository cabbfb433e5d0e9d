// The sheet one signs on. It is always twice as wide as high, so turning the device only changes its size.
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import Pad from 'signature_pad';
import { type SignatureSource, signatureHeight, signatureWidth, toSignaturePng } from './png.ts';
import styles from './signature.module.css';
import { scaleStrokes } from './strokes.ts';

export type SignaturePadHandle = SignatureSource & { undo: () => void; clear: () => void };

type Props = {
  ref: Ref<SignaturePadHandle>;
  label: string;
  /** Told after each stroke, undo and clear. */
  onChange?: (isEmpty: boolean) => void;
};

const paper = 'white';

/** Widths in px; `throttle` in ms. */
const pen = { minWidth: 0.5, maxWidth: 2.5, minDistance: 5, throttle: 16, penColor: 'black', backgroundColor: paper };
const resizeDebounceMs = 150;

/**
 * A canvas for drawing a signature. Its strokes survive any change of size, and the picture that `toPng` gives is
 * 800 by 400 black on white, whatever the screen. Drawing on it never scrolls the page.
 */
export function SignaturePad({ ref, label, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);
  const width = useRef(0);
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
      const next = sheet?.clientWidth ?? 0;
      // Hidden, or in the middle of a stroke, which must not be torn.
      if (!sheet || next === 0 || isDrawing) return;
      const strokes = made.toData();
      const ratio = Math.max(1, window.devicePixelRatio);
      sheet.width = Math.round(next * ratio);
      sheet.height = Math.round((next * ratio * signatureHeight) / signatureWidth);
      sheet.getContext('2d')?.scale(ratio, ratio);
      made.fromData(scaleStrokes(strokes, width.current ? next / width.current : 1));
      width.current = next;
      // It can be drawn on from now on.
      sheet.dataset.ready = 'true';
    }

    function resizeSoon() {
      window.clearTimeout(timer);
      timer = window.setTimeout(resize, width.current ? resizeDebounceMs : 0);
    }

    made.addEventListener('beginStroke', () => {
      isDrawing = true;
    });
    made.addEventListener('endStroke', () => {
      isDrawing = false;
      if (sheet.clientWidth !== width.current) resize();
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
        copy.fromData(scaleStrokes(pad.current?.toData() ?? [], signatureWidth / width.current));
        copy.off();
        return toSignaturePng(large);
      },
    };
  }, []);

  return <canvas ref={canvas} className={styles.sheet} role="img" aria-label={label} />;
}
