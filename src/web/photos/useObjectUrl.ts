import { useEffect, useState } from 'react';

/** An address under which a blob can be shown, given back to the browser when the blob or the component goes. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  // The address holds the whole picture in memory until it is revoked, which only an effect can promise.
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [blob]);
  return url;
}
