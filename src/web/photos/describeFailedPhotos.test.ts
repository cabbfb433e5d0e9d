import { expect, test } from 'vitest';
import { ApiError } from '#shared/client.ts';
import { describeFailedPhotos } from './describeFailedPhotos.ts';
import type { PreparedPhoto } from './preparePhoto.ts';

const photos: PreparedPhoto[] = ['pump.jpg', 'gate.jpg'].map((name) => ({
  id: name,
  name,
  file: new File([], name),
}));

test.each([
  ['Not an image.', new ApiError(415, '{"message":"Not an image."}')],
  ['The server could not be reached.', new ApiError(0, '')],
  ['Error uploading image: 500 Broken pipe.', new ApiError(500, 'Broken pipe')],
])('the message about a failed photo has the reason: %s', (reason, error) => {
  const failures = photos.slice(1).map((photo) => ({ photo, error }));
  expect(describeFailedPhotos(photos, failures, 1)).toBe(`File upload failed. Photo 2 (gate.jpg): ${reason}`);
});
