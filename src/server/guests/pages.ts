// The pages to which labels lead, on a listener of their own: a form, its receipt, and one page for everything else.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#shared/places/messages.ts';
import { HttpError } from '../errors/http-error.ts';
import { toHttpError } from '../http/error-handler.ts';
import type { Services } from '../http/handler-context.ts';
import { isId, newId } from '../ids.ts';
import { findReceipt } from '../messages/store.ts';
import {
  type FormProblem,
  type GuestPlace,
  guestCsp,
  renderForm,
  renderGeneral,
  renderReceipt,
  type TypedMessage,
} from './html.ts';
import { findPlaceOfLabel, listGuestNumbers } from './places.ts';
import { createGuestReceiver, hashReceipt, NotStoredError, readTyped, receiveTyped } from './receive.ts';

type Page = { Params: { code: string }; Querystring: Record<string, unknown> };
/** A form has a body of its own if it is not sent, but shown in the other language. */
type Form = Page & { Body: TypedMessage | undefined };

/** The Referrer-Policy lets browsers without Sec-Fetch-Site send the origin of a form, which the CSRF check needs. */
export function registerGuestHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'content-security-policy': guestCsp,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });
}

/** Returns a URL that can be decoded. In one that cannot, such as `/h/%`, each `%` is an ordinary character. */
export function toDecodableUrl({ url = '' }: IncomingMessage): string {
  const path = url.replace(/[?#].*$/, '');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** Returns the language that was chosen, or the one that the browser prefers. */
function getLanguage({ query, headers }: FastifyRequest): Language {
  const { lang } = query as Record<string, unknown>;
  if (lang === 'cy' || lang === 'en') return lang;
  return /^\s*cy\b/i.test(headers['accept-language'] ?? '') ? 'cy' : 'en';
}

export function registerGuestPages(server: FastifyInstance, services: Services): void {
  const { clock, config, db, receiver } = services;
  const receive = createGuestReceiver(services);
  const send = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

  async function sendGeneral(
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 404, typed }: { status?: number; typed?: TypedMessage } = {},
  ) {
    // Not even a failed database keeps guests from reading whom to ring in an emergency.
    const parks = await listGuestNumbers(db).catch(() => []);
    // Without a label that is in use, trying again cannot succeed.
    const advice = status === 404 ? 'newLabel' : 'tryAgain';
    const page = { advice: request.method === 'POST' ? advice : undefined, typed, parks } as const;
    return send(reply.code(status), renderGeneral(getLanguage(request), page));
  }

  const sendForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    place: GuestPlace,
    { typed, problem }: { typed?: TypedMessage; problem?: FormProblem } = {},
  ) =>
    // Cached, so that Back shows the same form, whose message is stored once.
    send(
      reply.header('cache-control', 'private, max-age=0'),
      renderForm(getLanguage(request), place, {
        formId: isId(typed?.formId) ? typed.formId : newId(),
        appUrl: config.publicUrl,
        privacyNotice: config.operator.privacyNotice,
        typed,
        problem,
      }),
    );

  server.addHook('onRequest', async ({ is404 }) => {
    if (is404) throw new HttpError(404, 'Not found');
  });
  server.setErrorHandler(async (error: FastifyError | HttpError, request, reply) => {
    const { status } = toHttpError(error);
    if (status >= 500) request.log.error({ err: error }, 'a page for guests failed');
    if (request.url.startsWith('/h/')) return sendGeneral(request, reply, { status });
    return reply.code(status).type('text/plain; charset=utf-8').send('Not found');
  });

  server.addContentTypeParser('application/x-www-form-urlencoded', (request: FastifyRequest, payload: Readable) =>
    receiver.receive(request, 'small', () => readTyped(payload)),
  );

  server.get('/h/', (request, reply) => sendGeneral(request, reply));

  server.get<Page>('/h/:code', async (request, reply) => {
    const place = await findPlaceOfLabel(db, request.params.code);
    return place ? sendForm(request, reply, place) : sendGeneral(request, reply);
  });

  server.post<Form>('/h/:code', async (request, reply) => {
    const place = await findPlaceOfLabel(db, request.params.code);
    if (!place) {
      const typed = request.body ?? (await receiveTyped(services, request));
      return sendGeneral(request, reply, { typed });
    }
    if (request.body) return sendForm(request, reply, place, { typed: request.body });
    const language = getLanguage(request);
    try {
      const { receipt, isPhotoMissing } = await receive(request, reply, { label: place.label, language });
      return reply.redirect(`/h/r/${receipt}?lang=${language}${isPhotoMissing ? '&photo=missing' : ''}`, 303);
    } catch (error) {
      if (!(error instanceof NotStoredError)) throw error;
      const { status, typed, cause } = error;
      if (status === 404) return sendGeneral(request, reply, { typed });
      if (status === 400) return sendForm(request, reply.code(400), place, { typed, problem: 'nothing' });
      if (status === 429) return sendForm(request, reply.code(429), place, { typed, problem: 'tooMany' });
      request.log.error({ err: cause }, 'a message of a guest was not stored');
      return sendForm(request, reply.code(503), place, { typed, problem: 'cannotStore' });
    }
  });

  server.get<Page>('/h/r/:code', async (request, reply) => {
    const { code } = request.params;
    const receipt = await findReceipt(db, hashReceipt(code), clock());
    if (!receipt) return sendGeneral(request, reply);
    const address = `${config.guestUrl}/h/r/${code}`;
    const isWithoutPhoto = request.query.photo === 'missing';
    return send(reply, renderReceipt(getLanguage(request), receipt, { address, isWithoutPhoto }));
  });
}
