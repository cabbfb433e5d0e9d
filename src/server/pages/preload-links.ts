// The Link header of a page (RFC 8288): what the browser may fetch while it reads the page.
import { api } from '#shared/api.ts';

/** Every screen requests the session, so that request starts with the page if there is a cookie. */
const sessionPreload = `<${api.getSession.path}>; rel=preload; as=fetch; crossorigin`;

/** Shown until the screen is drawn. */
const logoPreload = '</operator-logo>; rel=preload; as=image; fetchpriority=high';

/**
 * @param screens what the build wrote down: JSON, by a screen's path the Link header of its files
 * @returns the Link header of a page by its address, and by whether the browser brought a session
 */
export function parsePreloadLinks(screens = '{}'): (path: string, hasSession: boolean) => string {
  const known = Object.entries<string>(JSON.parse(screens)).map(([path, links]) => ({
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    links,
  }));
  // Browsers fetch in this order, about six at a time.
  return (path, hasSession) =>
    [logoPreload, known.find((screen) => screen.path.test(path))?.links, hasSession && sessionPreload]
      .filter(Boolean)
      .join(', ');
}
