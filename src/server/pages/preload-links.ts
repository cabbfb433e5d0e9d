// The Link header of a page (RFC 8288): what the browser may fetch while it reads the page.
import { api } from '#shared/api.ts';
import { getPath } from '../http/headers.ts';

const createDataPreload = ({ path }: { path: string }) => `<${path}>; rel=preload; as=fetch; crossorigin`;

/** Every screen requests the session, so that request starts with the page if there is a cookie. */
const sessionPreload = createDataPreload(api.getSession);

/**
 * The first lists of screens, by URL: with parameters, the screens may request others. None whose reply depends on
 * what a page knows (X-Types): a preload does not say it.
 */
const listPreloads: Record<string, string> = { '/audits': createDataPreload(api.listFolders) };

/**
 * Safari, and every browser on an iPhone. `fetch` there ignores preloads, so it would request
 * data twice. Chromium's User-Agent says AppleWebKit too, with this number.
 */
const safariPattern = /AppleWebKit\/(?!537\.36)/;

/** The page shows the logo until its screen is drawn. */
const logoPreload = '</operator-logo>; rel=preload; as=image; fetchpriority=high';

/**
 * @param screens the build's JSON file: the Link header of each screen's files, by the screen's path
 * @returns a function for a page's Link header, from its URL, whether the browser sent a session
 *   cookie, and the User-Agent
 */
export function createLinkHeaderGetter(
  screens = '{}',
): (url: string, hasSession: boolean, userAgent?: string) => string {
  const screenLinks = Object.entries<string>(JSON.parse(screens)).map(([path, links]) => ({
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    links,
  }));
  // The most important files come first, because browsers fetch them in this order, about six at a
  // time.
  return (url, hasSession, userAgent = '') => {
    const path = getPath(url);
    const preloadsData = hasSession && !safariPattern.test(userAgent);
    return [
      logoPreload,
      screenLinks.find((screen) => screen.path.test(path))?.links,
      preloadsData && sessionPreload,
      preloadsData && listPreloads[url],
    ]
      .filter(Boolean)
      .join(', ');
  };
}
