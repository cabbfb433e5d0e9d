// What the browser may begin to fetch while it still reads the page, named in the page's Link header (RFC 8288).
import { api } from '#shared/api.ts';

/** Every screen asks who is signed in: where somebody may be, the question goes out with the page. */
const sessionPreload = `<${api.getSession.path}>; rel=preload; as=fetch; crossorigin`;

/** What is seen until a screen is there. */
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
  // A browser asks in this order, for some six things at a time.
  return (path, hasSession) =>
    [logoPreload, known.find((screen) => screen.path.test(path))?.links, hasSession && sessionPreload]
      .filter(Boolean)
      .join(', ');
}
