// A bucket of a test's own on the store that scripts/with-bucket.sh starts.
import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY: key = '', TEST_S3_SECRET: secret = '' } = process.env;

export const hasBuckets = endpoint !== undefined;

/** Makes one, and gives the settings that name it. */
export async function makeBucket(): Promise<Record<string, string>> {
  const bucket = `test-${randomBytes(6).toString('hex')}`;
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: endpoint ?? '',
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: secret },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint ?? '',
    S3_ACCESS_KEY_ID: key,
    S3_SECRET_ACCESS_KEY: secret,
    S3_PREFIX: 'photos',
  };
}
