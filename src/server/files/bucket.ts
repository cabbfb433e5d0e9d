// Files in an S3-compatible bucket: what several copies of the server share. The SDK is loaded only where a bucket is configured.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Refusal } from '../http/errors.ts';
import { checkFilePath, type FileStore, isFilePath } from './store.ts';

export type BucketSettings = {
  bucket: string;
  /** Empty for Amazon's own. */
  endpoint: string;
  region: string;
  /** Empty: the SDK looks for credentials where it always does. */
  accessKeyId: string;
  secretAccessKey: string;
  /** Before every key; empty or ending in a slash. */
  prefix: string;
};

const types: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** A store in a bucket that exists already. Refuses to open one that cannot be reached or listed. */
export async function openBucket(settings: BucketSettings): Promise<FileStore> {
  const aws = await import('@aws-sdk/client-s3');
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey, prefix } = settings;
  const client: S3Client = new aws.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    // The SDK's own choice frames streams in a way that look-alikes store inside the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
  });
  await client.send(new aws.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })).catch((error: Error) => {
    throw new Error(`The bucket ${Bucket} cannot be used (${error.name}). See the S3_ settings in docs/operating.md.`);
  });

  const keyOf = (path: string) => {
    checkFilePath(path);
    return prefix + path;
  };
  const get = (path: string, range?: string) =>
    client
      .send(new aws.GetObjectCommand({ Bucket, Key: keyOf(path), ...(range && { Range: range }) }))
      .catch(ifMissing)
      .catch(refuse);

  return {
    async write(path, bytes) {
      const Key = keyOf(path);
      const hash = createHash('sha256').update(bytes).digest('hex');
      try {
        await client.send(
          new aws.PutObjectCommand({
            Bucket,
            Key,
            Body: bytes,
            ContentLength: bytes.length,
            ContentType: types[path.slice(path.lastIndexOf('.') + 1)],
            // Refused by the store when what arrives is not what was sent.
            ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64'),
            ContentMD5: createHash('md5').update(bytes).digest('base64'),
            Metadata: { sha256: hash },
          }),
        );
        const head = await client.send(new aws.HeadObjectCommand({ Bucket, Key }));
        if (head.ContentLength !== bytes.length || head.Metadata?.sha256 !== hash)
          throw new Error('The bucket does not hold what was written to it.');
      } catch (error) {
        await client.send(new aws.DeleteObjectCommand({ Bucket, Key })).catch(() => {}); // left to the sweep
        refuse(error);
      }
    },

    async read(path) {
      const found = await get(path);
      return found?.Body && Buffer.from(await found.Body.transformToByteArray());
    },

    async open(path, part) {
      const found = await get(path, part && `bytes=${part.start}-${part.end}`);
      if (!found?.Body) return undefined;
      const whole = Number(/\/(\d+)$/.exec(found.ContentRange ?? '')?.[1] ?? found.ContentLength);
      return { stream: found.Body as Readable, size: whole };
    },

    async remove(path) {
      await client.send(new aws.DeleteObjectCommand({ Bucket, Key: keyOf(path) })).catch(refuse);
    },

    async *list() {
      for await (const page of aws.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key = '', LastModified, Size } of page.Contents ?? []) {
          const path = Key.slice(prefix.length);
          if (isFilePath(path)) yield { path, modified: LastModified ?? new Date(), size: Size ?? 0 };
        }
    },

    async freeBytes() {
      return undefined;
    },
  };
}

function ifMissing(error: Error): undefined {
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') return undefined;
  throw error;
}

function refuse(cause: unknown): never {
  if (cause instanceof Refusal) throw cause;
  const refusal = new Refusal(503, 'Photos cannot be saved or read at the moment. Please try again soon.', {
    retryAfter: 30,
  });
  throw Object.assign(refusal, { cause });
}
