import { useEffect, useMemo, useState } from 'react';

/** Object URLs for blobs, revoked when the array or component goes away. */
export function useObjectUrls(blobs: Blob[] | undefined): string[] | undefined {
  const [urls, setUrls] = useState<string[]>();
  // A URL keeps its blob in memory until revoked, which only an effect can ensure.
  useEffect(() => {
    if (!blobs) return;
    const made = blobs.map((blob) => URL.createObjectURL(blob));
    setUrls(made);
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
      setUrls(undefined);
    };
  }, [blobs]);
  return urls;
}

/** The same for one blob. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const blobs = useMemo(() => blob && [blob], [blob]);
  return useObjectUrls(blobs)?.[0];
}
