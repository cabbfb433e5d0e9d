// Vite requests each stylesheet once: one that failed would be missing when its screen loads again.

const failedLinks = new Set<HTMLLinkElement>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedLinks.add(target);
  },
  true,
);

function requestAgain(link: HTMLLinkElement): Promise<unknown> {
  failedLinks.delete(link);
  const copy = link.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    copy.addEventListener('load', resolve);
    copy.addEventListener('error', () => reject(new Error(`The stylesheet ${link.href} could not be loaded`)));
    link.replaceWith(copy);
  });
}

/** Requests the stylesheets that failed again. Rejects if one fails again. */
export const requestFailedStylesheets = () => Promise.all([...failedLinks].map(requestAgain));
