// A bucket of a test's own: on the real store that scripts/with-bucket.sh starts, or else on one that answers like it.
import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { openFakeBucket } from './fake-bucket.ts';

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY: key = '', TEST_S3_SECRET: secret = '' } = process.env;

/** Only this one knows whom it belongs to. */
export const isRealStore = endpoint !== undefined;

/** Makes one; gives the settings that name it, and what ends it. */
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
    // The store goes with the run.
    close: async () => client.destroy(),
  };
}
