import type { PointGroup } from 'signature_pad';
import { expect, test } from 'vitest';
import { fitBox, getBounds, identityPlacement, invertPlacement, placeStrokes } from './strokes.ts';

const stroke = (...points: [x: number, y: number][]): PointGroup =>
  ({
    penColor: 'black',
    dotSize: 0,
    minWidth: 0.5,
    maxWidth: 2,
    velocityFilterWeight: 0.7,
    compositeOperation: 'source-over',
    points: points.map(([x, y], at) => ({ x, y, pressure: 0.5, time: 100 + at * 10 })),
  }) as PointGroup;

test('strokes that are moved and scaled, then moved back by the inverse, are unchanged', () => {
  const strokes = [stroke([10, 20], [110, 60]), stroke([30, 5])];
  const placement = { scale: 0.5, x: 12, y: -7 };
  expect(placeStrokes(strokes, identityPlacement)).toEqual(strokes);
  expect(placeStrokes(placeStrokes(strokes, placement), invertPlacement(placement))).toEqual(strokes);
});

test('the bounding box of strokes includes their line width and is at least the minimum box', () => {
  expect(getBounds([stroke([10, 20], [110, 60]), stroke([30, 5])])).toEqual({
    left: 8,
    top: 3,
    right: 112,
    bottom: 62,
  });
  const minBox = { left: 0, top: 0, right: 100, bottom: 200 };
  expect(getBounds([stroke([10, 20], [110, 60])], minBox)).toEqual({ left: 0, top: 0, right: 112, bottom: 200 });
});

test('a bounding box is centred in the canvas, as large as fits and as the maximum scale allows', () => {
  const box = { left: 100, top: 0, right: 200, bottom: 400 };
  expect(fitBox(box, { width: 800, height: 400 })).toEqual({ scale: 1, x: 250, y: 0 });
  expect(fitBox(box, { width: 800, height: 800 }, 1)).toEqual({ scale: 1, x: 250, y: 200 });
});
