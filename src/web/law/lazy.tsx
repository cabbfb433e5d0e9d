// RIDDOR states of reports, loaded after the lists that show them.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import styles from './lazy.module.css';

const LazyClockLine = lazyComponent(() => import('./ClockLine.tsx'), 'ClockLine');
const LazyDutyStrip = lazyComponent(() => import('./DutyStrip.tsx'), 'DutyStrip');

export const ClockLine = (props: ComponentProps<typeof LazyClockLine>) => (
  <Suspense fallback={null}>
    <LazyClockLine {...props} />
  </Suspense>
);

export const DutyStrip = (props: ComponentProps<typeof LazyDutyStrip>) => (
  <div className={styles.strip}>
    <Suspense fallback={<div className={styles.space} />}>
      <LazyDutyStrip {...props} />
    </Suspense>
  </div>
);
