import { useEffect, useMemo, useState } from 'react';

/** Object URLs for blobs, revoked when the array or component goes away. */
export function useObjectUrls(blobs: Blob[] | undefined): string[] | undefined {
  const [urls, setUrls] = useState<string[]>();
  // A URL keeps its blob in memory until revoked, which only an effect can ensure.
  useEffect(() => {
    if (!blobs) return;
    const newUrls = blobs.map((blob) => URL.createObjectURL(blob));
    setUrls(newUrls);
    return () => {
      for (const url of newUrls) URL.revokeObjectURL(url);
      setUrls(undefined);
    };
  }, [blobs]);
  return urls;
}

export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const blobs = useMemo(() => blob && [blob], [blob]);
  return useObjectUrls(blobs)?.[0];
}
