// Decodes HEIC with a libheif build without eval or WebAssembly, as the CSP requires.
import { heicTo } from 'heic-to/csp';

addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  try {
    const image = await heicTo({ blob: data, type: 'bitmap' });
    postMessage(image, { transfer: [image] });
  } catch {
    postMessage(null);
  }
});
