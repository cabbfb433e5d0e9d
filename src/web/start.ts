// Loads React, then the app, yielding in between so that slow phones can handle taps.
import 'virtual:theme.css';
import './ui/theme/mantine.css';
import './ui/theme/base.css';
import { reportErrorUnlessLeaving } from './ui/navigation/leaving.ts';

import('react-dom/client')
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    if (reportErrorUnlessLeaving(error)) document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
