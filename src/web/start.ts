// Loads the libraries, then the app, yielding in between so that slow phones can handle taps.
import('react-dom/client')
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    reportError(error);
    document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
