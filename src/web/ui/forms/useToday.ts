import { useEffect, useState } from 'react';
import { getToday } from '#shared/dates.ts';

/** Today, also when a page that was open overnight is shown or used again. */
export function useToday() {
  const [today, setToday] = useState(getToday);
  useEffect(() => {
    const controller = new AbortController();
    const update = () => setToday(getToday());
    document.addEventListener('visibilitychange', update, controller);
    for (const event of ['pageshow', 'focus']) window.addEventListener(event, update, controller);
    return () => controller.abort();
  }, []);
  return today;
}
