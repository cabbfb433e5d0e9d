// Serves the screens: hashed assets that never change, one page for every screen, and the files for
// installation on a device.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { createPageHeaders, getPath } from '../http/headers.ts';
import { escapeHtml } from '../http/html.ts';
import { parseCookieToken } from '../sign-in/session/session.ts';
import { killSwitchWorker } from './kill-switch-worker.ts';
import { createLinkHeaderGetter } from './preload-links.ts';

const builtFolder = join(import.meta.dirname, '../../../dist');
const svgType = 'image/svg+xml; charset=utf-8';
const logoTypes: Record<string, string> = {
  '.svg': svgType,
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Inserts the operator's settings into the page. */
export const renderPage = (
  {
    operator,
    passwordMin,
    passkeyHost,
    publicUrl,
    guestUrl,
    provider,
  }: Pick<Config, 'operator' | 'passwordMin' | 'passkeyHost' | 'publicUrl' | 'guestUrl' | 'provider'>,
  page: string,
) =>
  page
    .replaceAll('%PASSKEY_HOST%', () => escapeHtml(passkeyHost))
    .replaceAll('%PROVIDER_LABEL%', () => escapeHtml(provider?.label ?? ''))
    .replaceAll('%OPERATOR_NAME%', () => escapeHtml(operator.name))
    .replaceAll('%PASSWORD_MIN%', String(passwordMin))
    .replaceAll('%PRIVACY_NOTICE_URL%', () => escapeHtml(operator.privacyNotice))
    .replaceAll('%ADDRESS_SET%', publicUrl && '1')
    .replaceAll('%GUEST_URL%', () => escapeHtml(guestUrl));

/** Adds the routes for the built screens in a folder. */
export async function registerBuiltPages(server: FastifyInstance, config: Config, dist = builtFolder): Promise<void> {
  const { operator, isSecure, isOfflineEnabled } = config;
  const logo = operator.logo || join(dist, 'logo.svg');
  const read = (name: string) => {
    const file = join(dist, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };

  // The server completes these files at start: with the operator's settings, and a revision that
  // changes when they do.
  const source = read('index.html');
  const page = source && renderPage(config, source);
  const manifest = read('manifest.webmanifest')?.replaceAll('%OPERATOR_NAME%', () => escapeJson(operator.name));
  const cachedContent = [
    page,
    JSON.stringify(createPageHeaders(isSecure)),
    existsSync(logo) ? sha256(readFileSync(logo)) : '',
  ];
  const worker = read('sw.js')?.replaceAll('%REVISION%', sha256(cachedContent.join('\n')).slice(0, 16));
  const getLinkHeader = createLinkHeaderGetter(read('screens.json'));

  await server.register(files, {
    root: dist,
    index: false,
    preCompressed: true,
    wildcard: false,
    // not served as they are: the server inserts settings (see above), or they are not for browsers
    globIgnore: ['index.html*', 'manifest.webmanifest*', 'sw.js*', 'screens.json'],
    setHeaders(reply, path) {
      reply.header('cache-control', /\/assets\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (/\.svg(?:\.\w+)?$/.test(path)) reply.type(svgType);
    },
  });
  const serveText = (path: string, type: string, text: string | undefined) =>
    text &&
    server.get(path, (_, reply) => reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text));
  serveText('/manifest.webmanifest', 'application/manifest+json', manifest);
  serveText('/sw.js', 'text/javascript', isOfflineEnabled ? worker : killSwitchWorker);
  server.get('/operator-logo', (_, reply) =>
    reply
      .type(logoTypes[extname(logo).toLowerCase()] ?? 'application/octet-stream')
      .header('cache-control', 'no-cache')
      .send(createReadStream(logo)),
  );
  server.setNotFoundHandler((request, reply) => {
    const isScreen =
      (request.method === 'GET' || request.method === 'HEAD') && !getPath(request.url).startsWith('/assets/');
    if (!isScreen || !page) throw new HttpError(404, 'Not found');
    const hasSession = parseCookieToken(request.headers.cookie, isSecure) !== undefined;
    const links = getLinkHeader(request.url, hasSession, request.headers['user-agent']);
    if (links) reply.header('link', links);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
  });
}
