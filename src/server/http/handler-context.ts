// What a handler receives: one authorised and parsed request, and the services.
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Api, EndpointName } from '#shared/api.ts';
import type { Body, Endpoint, Multipart, Params, Query, Reply } from '#shared/contract.ts';
import type { Hit, Person } from '#shared/people/access-requests.ts';
import type { successReply } from '#shared/replies.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import type { Integrity } from '../db/integrity.ts';
import type { Reader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import type { RunSearch } from '../db/search-runner.ts';
import type { WriteTransaction } from '../db/write-transaction.ts';
import type { SpaceGuard } from '../files/disk-space.ts';
import type { ImageFile, ImageProcessor } from '../files/image-processor.ts';
import type { Previews } from '../files/previews.ts';
import type { FileStore } from '../files/store.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import type { PdfRenderer } from '../pdf/render.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import type { QueueOptions } from '../workers/pool.ts';
import type { Zipper } from '../zip/zipper.ts';
import type { BodyReceiver } from './body-receiver.ts';
import type { RequestTracker } from './in-flight.ts';

export type RecordSearch = {
  /**
   * Finds every record that names a person. Throws 503 if the search is closed or has too
   * many waiting requests.
   */
  gatherHits(person: Person, excludedRequestId: string, queueOptions: QueueOptions): Promise<Hit[]>;
  close(): Promise<void>;
};

/** The services that the whole server shares. */
export type Services = {
  config: Config;
  db: Database;
  clock: Clock;
  files: FileStore;
  imageProcessor: ImageProcessor;
  previews: Previews;
  temporaryFiles: TemporaryFiles;
  space: SpaceGuard;
  pdf: PdfRenderer;
  zipper: Zipper;
  requestTracker: RequestTracker;
  receiver: BodyReceiver;
  /** Runs long queries in another thread on SQLite; undefined on PostgreSQL. */
  reader: Reader | undefined;
  integrity: Integrity;
  recordSearch: RecordSearch;
  secrets: Secrets;
  log: FastifyBaseLogger;
};

/** An upload in a temporary file, deleted with its request. `sha256` is hexadecimal. */
export type ReceivedFile = ImageFile & { name: string; sha256: string };

type User<E extends Endpoint> = E['access'] extends 'anyone' ? SignedInUser | undefined : SignedInUser;
type File<E extends Endpoint> = E['body'] extends Multipart
  ? E['body']['required'] extends true
    ? ReceivedFile
    : ReceivedFile | undefined
  : undefined;

export type HandlerContext<E extends Endpoint> = Services & {
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  file: File<E>;
  user: User<E>;
  ip: string;
  /** The User-Agent header; empty if there is none. */
  userAgent: string;
  /** Whether the page knows the types of questions that came after the first ones (X-Types: 2). */
  knowsNewTypes: boolean;
  /** Whether the page knows the operator's list of parks (X-Parks: 1). */
  knowsParkList: boolean;
  /** The origin of the pages, such as `https://reports.example.com`. */
  origin: string;
  /** The Cookie header. */
  cookies: string | undefined;
  now: Date;
  /** The Idempotency-Key, for endpoints that keep no reply. Throws 400 if it is not a UUID. */
  key: string | undefined;
  /** Whether a reviewer submits this on behalf of a deleted user, or a shared device for one of its users. */
  isForSomeoneElse: boolean;
  /** Aborts when the connection has closed or the response was sent. */
  signal: AbortSignal;
  /** Runs a search without delaying other requests. Stops it when the request ends. */
  search: RunSearch;
  /** Runs a write transaction that includes its activity log entries and the stored reply. */
  writeTransaction: WriteTransaction;
  /** Logs an entry without any other write. */
  logActivity(entry: ActivityEntry): Promise<void>;
  /** Delays the response on purpose; this does not count towards the request timeout. */
  delayResponse(ms: number): Promise<void>;
  /** Starts the request timeout again. Call after each step of work that takes minutes. */
  restartTimeout(): void;
  setCookie(cookie: string): void;
};

/**
 * A list in pages, so that a long list is never completely in memory. A buffer contains JSON ready
 * to send.
 */
type Pages<T> = AsyncIterable<T[] | Buffer>;
/** A file sent as a stream: a stored one, such as a pack, or one that is created while it is sent. */
export type FileReply = { content: Readable; type: string; fileName: string };
type Success = typeof successReply;
/**
 * What a handler returns: a PDF, a file, or the endpoint's reply; nothing if that is `successReply`. A list may also be
 * returned in pages.
 */
type HandlerReply<E extends Endpoint> = E['reply'] extends 'pdf'
  ? { pdf: Uint8Array; fileName: string }
  : E['reply'] extends 'file'
    ? FileReply
    : Reply<E> extends (infer Item)[]
      ? Item[] | Pages<Item> | Buffer
      : [Reply<E>, Success] extends [Success, Reply<E>]
        ? // biome-ignore lint/suspicious/noConfusingVoidType: what an async function without a reply returns
          void
        : Reply<E>;

type Handler<Name extends EndpointName> = (
  context: HandlerContext<Api[Name]>,
) => Promise<HandlerReply<Api[Name]>> | HandlerReply<Api[Name]>;
export type Handlers<Name extends EndpointName = EndpointName> = { [K in Name]: Handler<K> };
