import { useLocation, useSearchParams } from 'wouter';

/** Keeps a screen's state in the URL's query, for reloading, sharing and Back. */
export function useUrlState() {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  return {
    /** '' if missing. Several parks are separated by commas, also if each has a parameter of its own. */
    get: (name: string) => (name === 'park' ? search.getAll(name).join() : (search.get(name) ?? '')),
    /** Empty values are removed; others stay unchanged. */
    set(changes: Record<string, string>, options?: { replace?: boolean; state?: unknown }) {
      // The user may have left for another screen, which is still being loaded.
      if (window.location.pathname !== path) return;
      // Read the current URL: on a slow phone the next change may come before the screen is
      // redrawn.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      setSearch(next, options);
    },
  };
}

/** A list's filters by name, and a function to change them. Typing adds no history entries. */
export function useFilters<Name extends string>(...names: Name[]) {
  const { get, set } = useUrlState();
  const filters = Object.fromEntries(names.map((name) => [name, get(name)])) as Record<Name, string>;
  const filter = (changes: Partial<Record<Name, string>>) => set(changes as Record<string, string>, { replace: true });
  return [filters, filter] as const;
}
