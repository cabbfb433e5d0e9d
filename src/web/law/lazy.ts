import { lazyComponent } from '../ui/loading/lazyComponent.ts';

/** The line of a report's RIDDOR state. Its code is loaded after the lists that show it. */
export const RiddorStateLine = lazyComponent(() => import('./RiddorStateLine.tsx'), 'RiddorStateLine');
