import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { isBackNavigation } from '../ui/navigation/location.ts';

/**
 * The end of a page, loaded and drawn when it is scrolled near, and at once on Back, so that the
 * page is long enough for its earlier scroll position.
 *
 * @param fallback is shown before
 */
export function NearbyContent({ children, fallback }: { children: ReactNode; fallback: ReactNode }) {
  const [isNear, setNear] = useState(isBackNavigation);
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  if (entry?.isIntersecting && !isNear) setNear(true);
  return isNear ? children : <div ref={ref}>{fallback}</div>;
}
