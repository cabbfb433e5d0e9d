import type { PointGroup } from 'signature_pad';

type Size = { width: number; height: number };
type Box = { left: number; top: number; right: number; bottom: number };

/** How strokes are placed on a canvas: scaled, then moved. */
type Placement = { scale: number; x: number; y: number };

export const identityPlacement: Placement = { scale: 1, x: 0, y: 0 };

/** Scales and moves strokes. Pen speed sets the line width, so time is scaled too. */
export function placeStrokes(strokes: PointGroup[], { scale, x, y }: Placement): PointGroup[] {
  return strokes.map((stroke) => {
    const startTime = stroke.points[0]?.time ?? 0;
    return {
      ...stroke,
      minWidth: stroke.minWidth * scale,
      maxWidth: stroke.maxWidth * scale,
      points: stroke.points.map((point) => ({
        ...point,
        x: point.x * scale + x,
        y: point.y * scale + y,
        time: startTime + (point.time - startTime) * scale,
      })),
    };
  });
}

export const invertPlacement = ({ scale, x, y }: Placement): Placement => ({
  scale: 1 / scale,
  x: -x / scale,
  y: -y / scale,
});

/** Returns the bounding box of all strokes with their line width, and of `minBox`. */
export function getBounds(strokes: PointGroup[], minBox?: Box): Box {
  const boxes = strokes.flatMap(({ points, maxWidth }) =>
    points.map(({ x, y }) => ({ left: x - maxWidth, top: y - maxWidth, right: x + maxWidth, bottom: y + maxWidth })),
  );
  return [...boxes, ...(minBox ? [minBox] : [])].reduce((box, next) => ({
    left: Math.min(box.left, next.left),
    top: Math.min(box.top, next.top),
    right: Math.max(box.right, next.right),
    bottom: Math.max(box.bottom, next.bottom),
  }));
}

/** Centres a box in a canvas, as large as fits and `maxScale` allows. */
export function fitBox(box: Box, { width, height }: Size, maxScale = Number.POSITIVE_INFINITY): Placement {
  const scale = Math.min(width / (box.right - box.left), height / (box.bottom - box.top), maxScale);
  return {
    scale,
    x: width / 2 - (scale * (box.left + box.right)) / 2,
    y: height / 2 - (scale * (box.top + box.bottom)) / 2,
  };
}
