import { type NavigateOptions, useSearchParams } from 'react-router';

/** What a screen shows lives in its address, after the `?`: it can be reloaded, sent to a colleague, and gone back to. */
export function useUrlState() {
  const [search, setSearch] = useSearchParams();
  return {
    /** '' where the address says nothing. */
    get: (name: string) => search.get(name) ?? '',
    /** What is '' goes from the address; what is not named stays. */
    set(changes: Record<string, string>, options?: NavigateOptions) {
      // As the address is now: on a slow phone the screen is drawn a moment later, and the next change may come before that.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      setSearch(next, options);
    },
  };
}

/** What a list is narrowed to, by name, and how to change it. Going back does not go through every letter that was typed. */
export function useFilters<Name extends string>(...names: Name[]) {
  const { get, set } = useUrlState();
  const filters = Object.fromEntries(names.map((name) => [name, get(name)])) as Record<Name, string>;
  const filter = (changes: Partial<Record<Name, string>>) => set(changes as Record<string, string>, { replace: true });
  return [filters, filter] as const;
}
