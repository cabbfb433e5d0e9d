import { useUrlState } from '../navigation/useUrlState.ts';

/** Keeps the open dialog in the URL, `?name=id`, so that Back closes it. */
export function useDialogInUrl(name: string) {
  const { get, set } = useUrlState();

  return {
    openId: get(name) || undefined,
    open: (id: string) => set({ [name]: id }, { state: openedHereKey }),
    /** Shows another item in the open dialog. Back still closes it. */
    change: (id: string) => set({ [name]: id }, { replace: true, state: window.history.state }),
    /**
     * Goes back to where it was opened; if the page was loaded with it, only removes it from the
     * URL.
     */
    close() {
      if (window.history.state === openedHereKey) window.history.back();
      else set({ [name]: '' }, { replace: true });
    },
  };
}

const openedHereKey = 'opened here';
