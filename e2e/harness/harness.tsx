// Photo and signature fields, and the questions of the RIDDOR assessment, each on its own page, for
// tests in a real browser.
import 'virtual:theme.css';
import '../../src/web/ui/theme/mantine.css';
import '../../src/web/ui/theme/base.css';
import '../../src/web/ui/theme/shared.css';
import './harness.css';
import { MantineProvider } from '@mantine/core';
import { Fragment, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PhotoField } from '../../src/web/photos/PhotoField.tsx';
import { makeThumbnail, type PreparedPhoto } from '../../src/web/photos/preparePhoto.ts';
import { processingImagesText, useIsPreparing } from '../../src/web/photos/preparing.ts';
import { PhotoPreviews } from '../../src/web/photos/viewer/PhotoPreviews.tsx';
import { blobToDataUrl, dataUrlToBlob, type Signature } from '../../src/web/signature/png.ts';
import { SignatureField } from '../../src/web/signature/SignatureField.tsx';
import { theme } from '../../src/web/ui/theme/theme.ts';
import { type LawHarness, LawScreen, lawHarness } from './law.tsx';

const query = new URLSearchParams(location.search);

type FormContent = { photos: PreparedPhoto[]; signature: Signature | null; other: Signature | null };

declare global {
  interface Window {
    formContent: FormContent;
    law: LawHarness;
    testTools: {
      makeThumbnail: typeof makeThumbnail;
      blobToDataUrl: typeof blobToDataUrl;
      dataUrlToBlob: typeof dataUrlToBlob;
    };
  }
}

window.law = lawHarness;
window.testTools = { makeThumbnail, blobToDataUrl, dataUrlToBlob };

const viewerPhotos = ['orientation-landscape-1.jpg', 'orientation-portrait-6.jpg', 'phone-jolla.jpg'].map((name) => ({
  src: `/photos/${name}`,
  alt: `accident report, ${name}`,
  downloadHref: `/photos/${name}?download=1`,
}));

function Harness() {
  const [photos, setPhotos] = useState<PreparedPhoto[]>([]);
  const busy = useIsPreparing(['photos']);
  const [signature, setSignature] = useState<Signature | null>(null);
  const [otherSignature, setOtherSignature] = useState<Signature | null>(null);
  window.formContent = { photos, signature, other: otherSignature };
  const errors = query.has('errors');
  return (
    <>
      <h1>Harness</h1>
      <PhotoField
        label="Photos of what happened"
        required
        value={photos}
        onChange={setPhotos}
        form="photos"
        use={query.get('use') === 'audit' ? 'audit' : 'report'}
        max={Number(query.get('max') ?? 20)}
        error={errors ? 'Please upload at least one media file' : undefined}
      />
      <p role="status">{busy && processingImagesText}</p>
      <SignatureField
        label="Your signature"
        requestedSigner={{ role: 'Person completing the form' }}
        required
        value={signature}
        onChange={setSignature}
        error={errors ? 'Your signature is required' : undefined}
      />
      <SignatureField
        label="Affected party signature"
        requestedSigner={{ role: 'Injured person', name: 'Ellie Barker' }}
        allowsSigningFor
        value={otherSignature}
        onChange={setOtherSignature}
        emptyMessage="Please draw a signature before saving"
      />
      <section>
        <PhotoPreviews photos={viewerPhotos} />
      </section>
    </>
  );
}

// Strict mode renders everything twice, which would slow down the many RIDDOR cases.
const Wrapper = query.has('law') ? Fragment : StrictMode;

createRoot(document.getElementById('root') as HTMLElement).render(
  <Wrapper>
    <MantineProvider
      theme={theme}
      forceColorScheme={query.has('dark') ? 'dark' : 'light'}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {query.has('law') ? <LawScreen /> : <Harness />}
    </MantineProvider>
  </Wrapper>,
);
