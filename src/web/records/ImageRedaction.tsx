// Black boxes over parts of a photo, drawn by dragging. Users who cannot drag can only leave out the
// whole photo.
import { Button } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import type { Box, Choice } from '#shared/people/access-requests.ts';
import answerStyles from '../law/AnswerField.module.css';
import rows from '../ui/theme/rows.module.css';
import styles from './records.module.css';

type RedactedImage = NonNullable<Choice['images']>[number];
type ImageRedactionProps = { image: RedactedImage; label: string; onChange: (image: RedactedImage) => void };

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** A smaller box counts as a tap. */
const minBoxSize = 0.005;

export function ImageRedaction({ image, label, onChange }: ImageRedactionProps) {
  const [start, setStart] = useState<{ x: number; y: number }>();
  const [drawn, setDrawn] = useState<Box>();
  const locate = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return { x: clamp((clientX - left) / width), y: clamp((clientY - top) / height) };
  };
  const between = (a: { x: number; y: number }, b: { x: number; y: number }): Box => ({
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  });
  const finishDrawing = () => {
    if (drawn && drawn.width > minBoxSize && drawn.height > minBoxSize)
      onChange({ ...image, boxes: [...image.boxes, drawn] });
    setStart(undefined);
    setDrawn(undefined);
  };
  return (
    <div>
      <div
        className={styles.image}
        data-left-out={image.isLeftOut || undefined}
        onPointerDown={(event) => {
          if (image.isLeftOut) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          setStart(locate(event));
        }}
        onPointerMove={(event) => start && setDrawn(between(start, locate(event)))}
        onPointerUp={finishDrawing}
        onPointerCancel={finishDrawing}
      >
        <img src={image.path} alt={label} draggable={false} />
        {[...image.boxes, ...(drawn ? [drawn] : [])].map((box, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a box has no other name
            key={index}
            className={styles.box}
            style={{
              left: `${box.x * 100}%`,
              top: `${box.y * 100}%`,
              width: `${box.width * 100}%`,
              height: `${box.height * 100}%`,
            }}
          />
        ))}
      </div>
      <div className={rows.actions}>
        <label className={answerStyles.option}>
          <input
            type="checkbox"
            checked={image.isLeftOut}
            onChange={() => onChange({ ...image, isLeftOut: !image.isLeftOut })}
          />
          <span>Leave out {label.toLowerCase()}</span>
        </label>
        <Button
          variant="subtle"
          disabled={image.boxes.length === 0}
          onClick={() => onChange({ ...image, boxes: image.boxes.slice(0, -1) })}
        >
          Undo Last Black Box
        </Button>
      </div>
    </div>
  );
}
