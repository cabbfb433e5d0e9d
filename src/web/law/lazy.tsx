// RIDDOR states of reports, loaded after the lists that show them.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';

const LoadedLine = lazyComponent(() => import('./ClockLine.tsx'), 'ClockLine');
const LoadedStrip = lazyComponent(() => import('./DutyStrip.tsx'), 'DutyStrip');

export const ClockLine = (props: ComponentProps<typeof LoadedLine>) => (
  <Suspense fallback={null}>
    <LoadedLine {...props} />
  </Suspense>
);

export const DutyStrip = (props: ComponentProps<typeof LoadedStrip>) => (
  <Suspense fallback={<div style={{ minHeight: '3.9rem' }} />}>
    <LoadedStrip {...props} />
  </Suspense>
);
