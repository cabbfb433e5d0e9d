// Reads the libraries and then the app, each in a breath of its own: a slow phone hears a tap in between.

import('react-dom/client').then(() => import('./main.tsx')).catch(offerAnotherTry);

/** In place of "Loading...", where the signal went before the scripts were there. */
function offerAnotherTry(error: unknown) {
  reportError(error);
  const words = document.querySelector('.starting p');
  const retry = document.createElement('button');
  retry.textContent = 'Try again';
  retry.className = 'plain-button';
  retry.onclick = () => window.location.reload();
  words?.setAttribute('role', 'alert');
  words?.replaceChildren('The page could not be loaded. Check your connection.');
  words?.after(retry);
}
