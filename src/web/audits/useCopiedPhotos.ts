import { useEffect, useState } from 'react';
import { findPhotoCopy } from '../drafts/offlineCopies.ts';
import { connection } from '../offline/connection.ts';
import { useStore } from '../useStore.ts';

/** Returns URLs of the previews copied to this device, by the photo's path; none while online. */
export function useCopiedPhotos(files: { path: string }[]): Record<string, string> {
  const isConnected = useStore(connection) === 'online';
  const [urls, setUrls] = useState<Record<string, string>>({});
  const paths = isConnected ? '' : files.map(({ path }) => path).join('\n');

  useEffect(() => {
    if (!paths) return setUrls({});
    const newUrls: string[] = [];
    let isCurrent = true;
    void Promise.all(paths.split('\n').map(async (path) => [path, await findPhotoCopy(path)] as const)).then(
      (found) => {
        if (!isCurrent) return;
        setUrls(
          Object.fromEntries(
            found.flatMap(([path, photo]) => {
              if (!photo) return [];
              const url = URL.createObjectURL(photo);
              newUrls.push(url);
              return [[path, url]];
            }),
          ),
        );
      },
    );
    return () => {
      isCurrent = false;
      for (const url of newUrls) URL.revokeObjectURL(url);
    };
  }, [paths]);
  return urls;
}
