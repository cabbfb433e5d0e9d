import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** Which dialog is open is part of the address, `?name=id`: Back closes it, and it can be reloaded and sent to a colleague. */
export function useOpened(name: string) {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const location = useLocation();

  const set = (id: string | undefined, options: { replace?: boolean; state?: unknown }) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id === undefined) next.delete(name);
      else next.set(name, id);
      return next;
    }, options);

  return {
    openId: search.get(name) || undefined,
    open: (id: string) => set(id, { state: openedHere }),
    /** Back to where it was opened from; an address that was opened with it stays on the screen without it. */
    close() {
      if (location.state === openedHere) void navigate(-1);
      else set(undefined, { replace: true });
    },
  };
}

const openedHere = 'opened here';
