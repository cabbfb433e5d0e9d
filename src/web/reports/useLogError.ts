import { useEffect } from 'react';

/** Logs an error to the browser's console for support. */
export function useLogError(error: Error | null) {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: for support
    if (error) console.error(error);
  }, [error]);
}
