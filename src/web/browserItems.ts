// The only access to local and session storage. Without storage (some private windows) nothing is
// kept, and everything else works.

function createItems(getStorage: () => Storage) {
  const attempt = <T>(access: (storage: Storage) => T, otherwise: T): T => {
    try {
      return access(getStorage());
    } catch {
      return otherwise;
    }
  };
  return {
    /** Null if there is none; undefined without storage. */
    read: (key: string) => attempt<string | null | undefined>((storage) => storage.getItem(key), undefined),
    /** Stores a text, or deletes it. Returns false if there is no room, or no storage. */
    write: (key: string, text: string | undefined) =>
      attempt((storage) => {
        if (text === undefined) storage.removeItem(key);
        else storage.setItem(key, text);
        return true;
      }, false),
    listKeys: (prefix: string) =>
      attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix)), []),
  };
}

/** Kept until deleted, for all tabs. */
export const deviceItems = createItems(() => localStorage);

/** Kept until the tab is closed. */
export const tabItems = createItems(() => sessionStorage);
