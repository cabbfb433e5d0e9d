// Signatures of the demo's users, as the signature pad would draw them.
import sharp from 'sharp';

const signatures = new Map<number, Promise<Buffer>>();

/** Returns the PNG of a signature, as the signature pad creates it; the number chooses one of seven. */
export function drawSignature(number = 0): Promise<Buffer> {
  const style = number % 7;
  const drawn = signatures.get(style) ?? draw(style);
  signatures.set(style, drawn);
  return drawn;
}

const draw = (style: number) => {
  const getHeight = (step: number) => 40 + ((style * 37 + step * 53) % 90);
  const strokePaths = Array.from(
    { length: 5 + (style % 3) },
    (_, step) => `S ${100 + step * 70} ${getHeight(step)} ${130 + step * 66} ${getHeight(step + 3) + 30}`,
  );
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="white"/><path d="M40 140 C 60 ${getHeight(1)} 80 20 96 110 ${strokePaths.join(' ')}" stroke="black" stroke-width="4" fill="none" stroke-linecap="round"/></svg>`,
    ),
  )
    .png()
    .toBuffer();
};
