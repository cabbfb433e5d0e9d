// Loads the libraries, then the app, yielding in between so that slow phones can handle taps.
import { reportUnlessLeaving } from './ui/navigation/leaving.ts';

import('react-dom/client')
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    if (reportUnlessLeaving(error)) document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
