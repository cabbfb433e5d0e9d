// The dialog, loaded when it is first opened.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const LoadedDialog = lazyComponent(() => import('./PackDialog.tsx'), 'PackDialog');

export const PackDialog = (props: ComponentProps<typeof LoadedDialog>) => (
  <Suspense fallback={null}>
    <LoadedDialog {...props} />
  </Suspense>
);
