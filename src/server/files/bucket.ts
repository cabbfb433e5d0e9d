// Files in an S3-compatible bucket: what several copies of the server share. The SDK is loaded only where a bucket is configured.
// A bucket that is away, slow or breaks off is a refusal within `gracePeriodMs`, never a file that is missing or half there.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { mediaTypes, type StoredExt } from './image-processor.ts';
import { assertFilePath, type FileStore, isFilePath } from './store.ts';

type BucketSettings = {
  bucket: string;
  /** Empty for Amazon's own. */
  endpoint: string;
  region: string;
  /** Empty: the SDK looks for credentials where it always does. */
  accessKeyId: string;
  secretAccessKey: string;
  /** Before every key; empty or ending in a slash. */
  prefix: string;
  /** How long anything asked of the bucket may take, tries and all. */
  timeoutMs: number;
};

/** A look at whether the bucket answers takes no longer, and is good for as long. */
const healthCheckMs = 2000;

/** A store in a bucket that exists already. Refuses to open one that cannot be reached or listed. */
export async function openBucket(settings: BucketSettings): Promise<FileStore> {
  const aws = await import('@aws-sdk/client-s3');
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey, prefix, timeoutMs } = settings;
  const client: S3Client = new aws.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    // The SDK's own choice frames streams in a way that look-alikes store inside the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // Silence in the midst of an answer ends it; the SDK's requestTimeout would only be written to the terminal.
    requestHandler: { connectionTimeout: 5000, socketTimeout: timeoutMs },
  });
  const within = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });
  const look = (ms: number) =>
    client.send(new aws.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }), within(ms));
  await look(timeoutMs).catch((error: Error) => {
    throw new Error(`The bucket ${Bucket} cannot be used (${error.name}). See the S3_ settings in docs/operating.md.`);
  });
  let looked: { at: number; answers: Promise<boolean> } | undefined;

  const keyOf = (path: string) => {
    assertFilePath(path);
    return prefix + path;
  };
  /** Whole before any of it is passed on: photos are small, and nobody is given one that breaks off. */
  async function get(path: string) {
    const Key = keyOf(path);
    const limit = within(timeoutMs);
    try {
      const found = await client.send(new aws.GetObjectCommand({ Bucket, Key }), limit);
      const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? []);
      if (bytes.length !== found.ContentLength) throw new Error('The bucket gave less than it said.');
      return bytes;
    } catch (error) {
      // Its own word for it: any gateway on the way can answer 404.
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throwUnavailable(error);
    }
  }

  return {
    kind: 'bucket',

    async write(path, bytes) {
      const Key = keyOf(path);
      const hash = sha256(bytes);
      const limit = within(timeoutMs);
      try {
        await client.send(
          new aws.PutObjectCommand({
            Bucket,
            Key,
            Body: bytes,
            ContentLength: bytes.length,
            ContentType: mediaTypes[path.slice(path.lastIndexOf('.') + 1) as StoredExt],
            // Refused by the store when what arrives is not what was sent.
            ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64'),
            ContentMD5: createHash('md5').update(bytes).digest('base64'),
            Metadata: { sha256: hash },
          }),
          limit,
        );
        const head = await client.send(new aws.HeadObjectCommand({ Bucket, Key }), limit);
        if (head.ContentLength !== bytes.length || head.Metadata?.sha256 !== hash)
          throw new Error('The bucket does not hold what was written to it.');
      } catch (error) {
        // Nobody waits for it: where it fails too, the sweep removes what is there.
        void client.send(new aws.DeleteObjectCommand({ Bucket, Key }), within(timeoutMs)).catch(() => {});
        throwUnavailable(error);
      }
    },

    async read(path) {
      return get(path);
    },

    async open(path) {
      const bytes = await get(path);
      return bytes && { stream: Readable.from([bytes]), size: bytes.length };
    },

    async remove(path) {
      await client
        .send(new aws.DeleteObjectCommand({ Bucket, Key: keyOf(path) }), within(timeoutMs))
        .catch(throwUnavailable);
    },

    async *list() {
      for await (const page of aws.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const path = Key.slice(prefix.length);
          if (isFilePath(path)) yield { path, modified: LastModified ?? new Date() };
        }
    },

    async isAnswering() {
      if (!looked || performance.now() - looked.at > healthCheckMs)
        looked = {
          at: performance.now(),
          answers: look(healthCheckMs).then(
            () => true,
            () => false,
          ),
        };
      return looked.answers;
    },
  };
}

function throwUnavailable(cause: unknown): never {
  if (cause instanceof HttpError) throw cause;
  const error = new HttpError(503, 'Photos cannot be saved or read at the moment. Please try again soon.', {
    retryAfter: 30,
  });
  throw Object.assign(error, { cause });
}
