// Decodes HEIC with a build of libheif that needs neither eval nor WebAssembly, so the page's CSP stays shut.
import { heicTo } from 'heic-to/csp';

addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  try {
    const image = await heicTo({ blob: data, type: 'bitmap' });
    postMessage(image, { transfer: [image] });
  } catch {
    postMessage(null);
  }
});
