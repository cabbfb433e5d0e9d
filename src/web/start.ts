// Reads the libraries and then the app, each in a breath of its own: a slow phone hears a tap in between.
import('react-dom/client')
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    reportError(error);
    document.querySelector('.starting')?.setAttribute('data-failed', '');
  });
