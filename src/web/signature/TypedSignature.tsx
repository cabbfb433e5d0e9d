import { TextInput } from '@mantine/core';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { textLimits } from '#shared/choices.ts';
import { type SignatureSource, signatureHeight, signatureWidth, toSignaturePng } from './png.ts';
import styles from './signature.module.css';

type TypedSignatureProps = {
  ref: Ref<SignatureSource>;
  name: string;
  onChange: (name: string) => void;
  onEnter: () => void;
};

const fonts = '"Segoe Script", "Bradley Hand", "Snell Roundhand", "Dancing Script", "URW Chancery L", cursive';
/** In px of the image. */
const maxFontSize = 120;
const margin = 40;

/** A typed name as a signature, for people who cannot draw. Creates the same kind of image. */
export function TypedSignature({ ref, name, onChange, onEnter }: TypedSignatureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const input = useRef<HTMLInputElement>(null);

  // Focus the field, because the user asked to type.
  useEffect(() => input.current?.focus(), []);

  useEffect(() => {
    if (canvas.current) drawName(canvas.current, name.trim());
  }, [name]);

  useImperativeHandle(
    ref,
    () => ({
      isEmpty: () => name.trim() === '',
      toPng: () => {
        if (!canvas.current) throw new Error('the page was closed');
        return toSignaturePng(canvas.current);
      },
    }),
    [name],
  );

  return (
    <div className={styles.typed}>
      <TextInput
        ref={input}
        label="Your full name"
        size="md"
        autoComplete="name"
        maxLength={textLimits.name}
        enterKeyHint="done"
        data-autofocus
        value={name}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <div className={styles.region}>
        <canvas
          ref={canvas}
          width={signatureWidth}
          height={signatureHeight}
          className={styles.canvas}
          role="img"
          aria-label={name.trim() ? `Signature reading ${name.trim()}` : 'Signature, empty'}
        />
      </div>
    </div>
  );
}

function drawName(canvas: HTMLCanvasElement, name: string): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = 'black';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.font = `italic ${maxFontSize}px ${fonts}`;
  const maxWidth = canvas.width - 2 * margin;
  const size = Math.min(maxFontSize, (maxFontSize * maxWidth) / Math.max(1, pen.measureText(name).width));
  pen.font = `italic ${size}px ${fonts}`;
  pen.fillText(name, canvas.width / 2, canvas.height / 2, maxWidth);
}
