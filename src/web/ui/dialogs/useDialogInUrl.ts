import { useLocation, useNavigate } from 'react-router';
import { useUrlState } from '../navigation/useUrlState.ts';

/** Which dialog is open is part of the address, `?name=id`: Back closes it. */
export function useDialogInUrl(name: string) {
  const { get, set } = useUrlState();
  const navigate = useNavigate();
  const location = useLocation();

  return {
    openId: get(name) || undefined,
    open: (id: string) => set({ [name]: id }, { state: openedHere }),
    /** Back to where it was opened from; an address that was opened with it stays on the screen without it. */
    close() {
      if (location.state === openedHere) void navigate(-1);
      else set({ [name]: '' }, { replace: true });
    },
  };
}

const openedHere = 'opened here';
