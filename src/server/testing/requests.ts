// Requests and cookies for tests that need a response, headers or cookies of their own.

/** The options of `fetch` for a POST request with a JSON body. */
export const jsonPost = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Returns the cookies that a response sets. Those that it deletes are ''. */
export const readCookies = (response: Response): Record<string, string> =>
  Object.fromEntries(response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]?.split('=') ?? []));

/** Returns the Cookie header with them. */
export const formatCookies = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
