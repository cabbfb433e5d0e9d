import type { PointGroup } from 'signature_pad';

/**
 * Strokes as if they had been drawn on a pad `factor` times as large. The pen's speed sets the width of a line, so time
 * is stretched along with space: the same hand, only larger.
 */
export function scaleStrokes(strokes: PointGroup[], factor: number): PointGroup[] {
  return strokes.map((stroke) => {
    const begun = stroke.points[0]?.time ?? 0;
    return {
      ...stroke,
      minWidth: stroke.minWidth * factor,
      maxWidth: stroke.maxWidth * factor,
      points: stroke.points.map((point) => ({
        ...point,
        x: point.x * factor,
        y: point.y * factor,
        time: begun + (point.time - begun) * factor,
      })),
    };
  });
}
