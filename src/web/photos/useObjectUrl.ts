import { useEffect, useMemo, useState } from 'react';

/** Addresses under which blobs can be shown, given back to the browser when the array or the component goes. */
export function useObjectUrls(blobs: Blob[] | undefined): string[] | undefined {
  const [urls, setUrls] = useState<string[]>();
  // An address holds the whole picture in memory until it is revoked, which only an effect can promise.
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

/** The same for one. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const blobs = useMemo(() => blob && [blob], [blob]);
  return useObjectUrls(blobs)?.[0];
}
