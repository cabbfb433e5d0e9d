import { useLocation, useNavigate } from 'react-router';
import { useAddress } from './useAddress.ts';

/** Which dialog is open is part of the address, `?name=id`: Back closes it. */
export function useOpened(name: string) {
  const { read, set } = useAddress();
  const navigate = useNavigate();
  const location = useLocation();

  return {
    openId: read(name) || undefined,
    open: (id: string) => set({ [name]: id }, { state: openedHere }),
    /** Back to where it was opened from; an address that was opened with it stays on the screen without it. */
    close() {
      if (location.state === openedHere) void navigate(-1);
      else set({ [name]: '' }, { replace: true });
    },
  };
}

const openedHere = 'opened here';
