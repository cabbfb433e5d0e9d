// A bucket for a test: on the real store started by scripts/with-bucket.sh, or a fake one.
import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { openFakeBucket } from './fake-bucket.ts';

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY: key = '', TEST_S3_SECRET: secret = '' } = process.env;

/** Whether tests use the real store, which alone checks credentials. */
export const isRealStore = endpoint !== undefined;

/** Creates a bucket; returns its settings and `close`. */
export async function createBucket(): Promise<{ settings: Record<string, string>; close(): Promise<void> }> {
  if (!isRealStore) return openFakeBucket();
  const bucket = `test-${randomBytes(6).toString('hex')}`;
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: endpoint ?? '',
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: secret },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint ?? '',
      S3_ACCESS_KEY_ID: key,
      S3_SECRET_ACCESS_KEY: secret,
      S3_PREFIX: 'photos',
    },
    // The script deletes the whole store after the run.
    close: async () => client.destroy(),
  };
}
