import { connection, isOnline } from './connection.ts';

/** Loads images that could not be loaded again once the server can be reached: browsers do not do that. */
export function reloadBrokenImages() {
  connection.subscribe(() => {
    if (!isOnline()) return;
    for (const image of document.images) {
      const src = image.getAttribute('src');
      if (src && image.complete && image.naturalWidth === 0) image.setAttribute('src', src);
    }
  });
}
