import { useEffect } from 'react';

/** What fails on this screen is said in the browser's console too, for whoever is asked to help. */
export function useLogError(error: Error | null) {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: said for whoever helps
    if (error) console.error(error);
  }, [error]);
}
