import { useEffect } from 'react';

/** §8: what fails on this screen is logged. It is shown as well. */
export function useLogged(error: Error | null) {
  // The console is outside of React.
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification asks for it
    if (error) console.error(error);
  }, [error]);
}
