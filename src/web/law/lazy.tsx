// The line of a report's RIDDOR state. Its code is loaded after the lists that show it.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const LazyRiddorStateLine = lazyComponent(() => import('./RiddorStateLine.tsx'), 'RiddorStateLine');

export const RiddorStateLine = (props: ComponentProps<typeof LazyRiddorStateLine>) => (
  <Suspense fallback={null}>
    <LazyRiddorStateLine {...props} />
  </Suspense>
);
