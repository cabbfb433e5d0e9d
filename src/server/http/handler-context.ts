// What a handler is given: one call of one row, checked and parsed, and the things it may use.
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Api, EndpointName } from '#shared/api.ts';
import type { Body, Endpoint, Multipart, Params, Query, Reply } from '#shared/contract.ts';
import type { SignedInUser } from '../auth/session.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import type { ReadyJson } from '../db/json-rows.ts';
import type { Database } from '../db/schema.ts';
import type { WriteTransaction } from '../db/write-transaction.ts';
import type { SpaceGuard } from '../files/disk-space.ts';
import type { ImageProcessor } from '../files/image-processor.ts';
import type { Previews } from '../files/previews.ts';
import type { FileStore } from '../files/store.ts';
import type { PdfRenderer } from '../pdf/render.ts';
import type { BodyReceiver } from './body-receiver.ts';
import type { RequestTracker } from './in-flight.ts';

/** What the whole server shares. */
export type Services = {
  config: Config;
  db: Database;
  clock: Clock;
  files: FileStore;
  imageProcessor: ImageProcessor;
  previews: Previews;
  space: SpaceGuard;
  pdf: PdfRenderer;
  requestTracker: RequestTracker;
  receiver: BodyReceiver;
  log: FastifyBaseLogger;
};

export type ReceivedFile = { bytes: Buffer; name: string };

type User<R extends Endpoint> = R['access'] extends 'anyone' ? SignedInUser | undefined : SignedInUser;
type File<R extends Endpoint> = R['body'] extends Multipart
  ? R['body']['required'] extends true
    ? ReceivedFile
    : ReceivedFile | undefined
  : undefined;

export type HandlerContext<R extends Endpoint> = Services & {
  params: Params<R>;
  query: Query<R>;
  body: Body<R>;
  file: File<R>;
  user: User<R>;
  ip: string;
  now: Date;
  /** A write: one transaction with its lines in the activity log and the answer kept under the call's key. */
  writeTransaction: WriteTransaction;
  /** Adds a line to the activity log where nothing else is written. */
  logActivity(entry: ActivityEntry): Promise<void>;
  /** Lets the caller wait so many milliseconds on purpose, on top of how long an answer may take. */
  delayResponse(ms: number): Promise<void>;
  setCookie(cookie: string): void;
};

/** A list given page by page, so that a long one is never whole in memory. */
type Pages<T> = AsyncIterable<T[]>;
/** A file that is written while it is sent. Its name is ASCII. */
export type FileReply = { content: Readable; type: string; fileName: string };
/** A PDF with its name, or what the row's reply says; a list may be pages of it. */
type HandlerReply<R extends Endpoint> = R['reply'] extends 'pdf'
  ? { pdf: Uint8Array; fileName: string }
  : R['reply'] extends 'file'
    ? FileReply
    : Reply<R> extends (infer Item)[]
      ? Item[] | Pages<Item> | ReadyJson
      : Reply<R>;

type Handler<Name extends EndpointName> = (
  context: HandlerContext<Api[Name]>,
) => Promise<HandlerReply<Api[Name]>> | HandlerReply<Api[Name]>;
export type Handlers<Name extends EndpointName = EndpointName> = { [K in Name]: Handler<K> };
