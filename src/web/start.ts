// Loads the libraries, then the app, yielding in between so that slow phones can handle taps.
import { logUnlessLeaving } from './ui/navigation/leaving.ts';

import('react-dom/client')
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    if (logUnlessLeaving(error)) document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
