// The screens: hashed assets that never change, and one page for every address that is a screen.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { api } from '../../shared/api.ts';
import type { Config } from '../config.ts';
import { Refusal } from './errors.ts';
import { pathOf } from './headers.ts';
import { readToken } from './session.ts';

const built = join(import.meta.dirname, '../../../dist');
const logoTypes: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** Serves the screens as they were built into a folder. */
export async function serveBuiltScreens(
  server: FastifyInstance,
  { operator, isSecure }: Config,
  dist = built,
): Promise<void> {
  const index = join(dist, 'index.html');
  const page = existsSync(index)
    ? readFileSync(index, 'utf8').replaceAll('%OPERATOR_NAME%', () => escapeHtml(operator.name))
    : undefined;
  const linksOf = readLinks(join(dist, 'screens.json'));
  await server.register(files, {
    root: dist,
    index: false,
    preCompressed: true,
    wildcard: false,
    globIgnore: ['index.html*', 'screens.json'], // not the page yet: the operator's name is still to be put in
    setHeaders: (reply, path) =>
      void reply.header('cache-control', /\/assets\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  const logo = operator.logo || join(dist, 'logo.svg');
  server.get('/operator-logo', (_, reply) =>
    reply
      .type(logoTypes[extname(logo).toLowerCase()] ?? 'application/octet-stream')
      .header('cache-control', 'no-cache')
      .send(createReadStream(logo)),
  );
  server.setNotFoundHandler((request, reply) => {
    const isScreen =
      (request.method === 'GET' || request.method === 'HEAD') && !pathOf(request.url).startsWith('/assets/');
    if (!isScreen || !page) throw new Refusal(404, 'Not found');
    const links = [linksOf(pathOf(request.url)), readToken(request.headers.cookie, isSecure) && askForSession].filter(
      Boolean,
    );
    if (links.length > 0) reply.header('link', links.join(', '));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
  });
}

/** Every screen asks who is signed in: where somebody may be, the question goes out with the page. */
const askForSession = `<${api.getSession.path}>; rel=preload; as=fetch; crossorigin`;

/** What the build wrote down: by a screen's address, the files that the browser may begin to fetch while it reads the page. */
function readLinks(file: string): (path: string) => string | undefined {
  if (!existsSync(file)) return () => undefined;
  const screens = Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')));
  const known = screens.map(([path, links]) => ({ path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`), links }));
  return (path) => known.find((screen) => screen.path.test(path))?.links;
}
