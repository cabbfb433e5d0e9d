// Loads React once the logo is drawn, then the app, yielding in between so that slow phones can handle
// taps.
import 'virtual:theme.css';
import './ui/theme/mantine.css';
import './ui/theme/base.css';
import { reportErrorUnlessLeaving } from './ui/navigation/leaving.ts';

const maxFirstDrawMs = 100;

/** Resolves once the page without scripts was drawn. Hidden tabs draw nothing, so they wait a moment only. */
const firstDraw = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, maxFirstDrawMs);
});

firstDraw
  .then(() => import('react-dom/client'))
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    if (reportErrorUnlessLeaving(error)) document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
