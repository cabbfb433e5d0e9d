// The dialog that makes a pack (copies of reports in a zip), loaded when it is first opened.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const LazyPackDialog = lazyComponent(() => import('./PackDialog.tsx'), 'PackDialog');

export const PackDialog = (props: ComponentProps<typeof LazyPackDialog>) => (
  <Suspense fallback={null}>
    <LazyPackDialog {...props} />
  </Suspense>
);
