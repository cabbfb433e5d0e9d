// Files in an S3-compatible bucket, shared by several instances. The SDK is loaded only if a bucket
// is configured. An unreachable or slow bucket causes an error within `timeoutMs`, never a missing
// or partial file.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { mediaTypes, type StoredExt } from './image-processor.ts';
import { assertFilePath, type FileStore, isFilePath, isPackPath } from './store.ts';
import { deleteTemporary } from './temporary-files.ts';

type BucketSettings = {
  bucket: string;
  /** The URL of the store; empty for AWS. */
  endpoint: string;
  region: string;
  /** Empty: the SDK looks for credentials in its usual places. */
  accessKeyId: string;
  secretAccessKey: string;
  /** Prefix of every key; empty or ending in a slash. */
  prefix: string;
  /** Timeout of any request to the bucket, including retries. */
  timeoutMs: number;
};

/** Timeout of a health check, and how long its result is reused. */
const healthCheckMs = 2000;

/** Opens a file store in an existing bucket. Throws if it cannot be reached or listed. */
export async function openBucket(settings: BucketSettings): Promise<FileStore> {
  const aws = await import('@aws-sdk/client-s3');
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey, prefix, timeoutMs } = settings;
  const client: S3Client = new aws.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    // By default the SDK frames streams in a way that some S3-compatible stores save inside the
    // object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // Ends a response that stalls; the SDK's requestTimeout would only log a warning.
    requestHandler: { connectionTimeout: 5000, socketTimeout: timeoutMs },
  });
  const abortAfter = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });
  const listOne = (ms: number) =>
    client.send(new aws.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }), abortAfter(ms));
  await listOne(timeoutMs).catch((error: Error) => {
    throw new Error(`The bucket ${Bucket} cannot be used (${error.name}). See the S3_ settings in docs/operating.md.`);
  });
  let lastCheck: { at: number; isAvailable: Promise<boolean> } | undefined;

  const getKey = (path: string) => {
    assertFilePath(path);
    return prefix + path;
  };
  /**
   * Reads the whole file before it returns, because photos are small and callers must never get a
   * partial one.
   */
  async function get(path: string) {
    const Key = getKey(path);
    const limit = abortAfter(timeoutMs);
    try {
      const object = await client.send(new aws.GetObjectCommand({ Bucket, Key }), limit);
      const bytes = Buffer.from((await object.Body?.transformToByteArray()) ?? []);
      if (bytes.length !== object.ContentLength) throw new Error('The bucket sent fewer bytes than it announced.');
      return bytes;
    } catch (error) {
      // Compare the error's name: a 404 alone may come from a gateway and does not prove that the
      // file is missing.
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throwUnavailable(error);
    }
  }

  async function put(path: string, bytes: Buffer) {
    const Key = getKey(path);
    const hash = sha256(bytes);
    const limit = abortAfter(timeoutMs);
    try {
      await client.send(
        new aws.PutObjectCommand({
          Bucket,
          Key,
          Body: bytes,
          ContentLength: bytes.length,
          ContentType: mediaTypes[path.slice(path.lastIndexOf('.') + 1) as StoredExt],
          // With this checksum the store rejects content that was damaged on the way.
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
      // Not awaited: if it fails too, the cleanup of unused uploads deletes the file.
      void client.send(new aws.DeleteObjectCommand({ Bucket, Key }), abortAfter(timeoutMs)).catch(() => {});
      throwUnavailable(error);
    }
  }

  /**
   * Sends a large file while it is read. There is no time limit for all of it, as long as the bucket
   * accepts bytes.
   */
  async function putLarge(path: string, file: string) {
    const { size } = await stat(file);
    const md5 = createHash('md5');
    await pipeline(createReadStream(file), md5);
    await client
      .send(
        new aws.PutObjectCommand({
          Bucket,
          Key: getKey(path),
          Body: createReadStream(file),
          ContentLength: size,
          ContentType: 'application/zip',
          ContentMD5: md5.digest('base64'),
        }),
      )
      .catch(throwUnavailable);
  }

  async function openLarge(path: string) {
    try {
      const object = await client.send(new aws.GetObjectCommand({ Bucket, Key: getKey(path) }));
      return { stream: object.Body as Readable, size: object.ContentLength ?? 0 };
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throwUnavailable(error);
    }
  }

  return {
    kind: 'bucket',
    write: put,

    async move(path, file) {
      if (isPackPath(path)) await putLarge(path, file);
      else await put(path, await readFile(file));
      await deleteTemporary(file);
    },

    read: get,
    getLocalPath: () => undefined,

    async open(path, range) {
      if (isPackPath(path)) return openLarge(path);
      const bytes = await get(path);
      const requestedBytes = range ? bytes?.subarray(range.start, range.end + 1) : bytes;
      return bytes && { stream: Readable.from([requestedBytes]), size: bytes.length };
    },

    async remove(path) {
      await client
        .send(new aws.DeleteObjectCommand({ Bucket, Key: getKey(path) }), abortAfter(timeoutMs))
        .catch(throwUnavailable);
    },

    async *list() {
      for await (const page of aws.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const path = Key.slice(prefix.length);
          if (isFilePath(path)) yield { path, modifiedAt: LastModified ?? new Date() };
        }
    },

    async isAvailable() {
      if (!lastCheck || performance.now() - lastCheck.at > healthCheckMs)
        lastCheck = {
          at: performance.now(),
          isAvailable: listOne(healthCheckMs).then(
            () => true,
            () => false,
          ),
        };
      return lastCheck.isAvailable;
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
