// The furniture on its own: photo and signature fields on a page without the product, to be tried in a real browser.
import '@mantine/core/styles/default-css-variables.css';
import '../../src/web/ui/mantine.css';
import './stand.css';
import {
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  MantineProvider,
  mergeMantineTheme,
} from '@mantine/core';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { makeThumbnail, type PreparedPhoto } from '../../src/web/photos/compress.ts';
import { PhotoField, PROCESSING_IMAGES } from '../../src/web/photos/PhotoField.tsx';
import { PhotoThumbs } from '../../src/web/photos/PhotoThumbs.tsx';
import { blobToDataUrl, dataUrlToBlob, type Signature } from '../../src/web/signature/png.ts';
import { SignatureField } from '../../src/web/signature/SignatureField.tsx';

const theme = createTheme({ primaryShade: 8, autoContrast: true });
const query = new URLSearchParams(location.search);

// The page's CSP forbids <style> elements, so the theme's variables go into a sheet made by script.
const variables = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
variables.light['--mantine-color-error'] = 'var(--mantine-color-red-9)';
variables.dark['--mantine-color-error'] = 'var(--mantine-color-red-4)';
const sheet = new CSSStyleSheet();
sheet.replaceSync(convertCssVariables(variables, ':root'));
document.adoptedStyleSheets.push(sheet);

type Held = { photos: PreparedPhoto[]; signature: Signature | null };

declare global {
  interface Window {
    held: Held;
    violations: string[];
    tools: {
      makeThumbnail: typeof makeThumbnail;
      blobToDataUrl: typeof blobToDataUrl;
      dataUrlToBlob: typeof dataUrlToBlob;
    };
  }
}

window.tools = { makeThumbnail, blobToDataUrl, dataUrlToBlob };

const viewable = ['orientation-landscape-1.jpg', 'orientation-portrait-6.jpg', 'phone-jolla.jpg'].map((name) => ({
  src: `/photos/${name}`,
  alt: `accident report, ${name}`,
  downloadHref: `/photos/${name}?download=1`,
}));

function Stand() {
  const [photos, setPhotos] = useState<PreparedPhoto[]>([]);
  const [busy, setBusy] = useState(false);
  const [signature, setSignature] = useState<Signature | null>(null);
  const [other, setOther] = useState<Signature | null>(null);
  window.held = { photos, signature };
  const notAnImage = query.get('notAnImage');
  const errors = query.has('errors');
  return (
    <>
      <h1>Stand</h1>
      <PhotoField
        label="Photos of what happened"
        required
        photos={photos}
        onChange={setPhotos}
        onBusyChange={setBusy}
        use={query.get('use') === 'audit' ? 'audit' : 'report'}
        max={Number(query.get('max') ?? 20)}
        error={errors ? 'Please upload at least one media file' : undefined}
        {...(notAnImage ? { notAnImage } : {})}
      />
      <p role="status">{busy && PROCESSING_IMAGES}</p>
      <SignatureField
        label="Your signature"
        required
        value={signature}
        onChange={setSignature}
        error={errors ? 'Your signature is required' : undefined}
      />
      <SignatureField
        label="Affected party signature"
        value={other}
        onChange={setOther}
        emptyMessage="Please draw a signature before saving"
      />
      <section>
        <PhotoThumbs photos={viewable} />
      </section>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      forceColorScheme={query.has('dark') ? 'dark' : 'light'}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Stand />
    </MantineProvider>
  </StrictMode>,
);
