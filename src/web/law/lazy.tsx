// Components with RIDDOR states and counts. Their code is loaded after the lists that show them.
import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import styles from './lazy.module.css';

const LazyRiddorStateLine = lazyComponent(() => import('./RiddorStateLine.tsx'), 'RiddorStateLine');
const LazyDutyStrip = lazyComponent(() => import('./DutyStrip.tsx'), 'DutyStrip');

export const RiddorStateLine = (props: ComponentProps<typeof LazyRiddorStateLine>) => (
  <Suspense fallback={null}>
    <LazyRiddorStateLine {...props} />
  </Suspense>
);

export const DutyStrip = (props: ComponentProps<typeof LazyDutyStrip>) => (
  <div className={styles.strip}>
    <Suspense fallback={<div className={styles.space} />}>
      <LazyDutyStrip {...props} />
    </Suspense>
  </div>
);
