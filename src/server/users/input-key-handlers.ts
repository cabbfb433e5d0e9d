// The key with which browsers encrypt what users typed and have not sent. A browser never stores it.
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { isSharedDevice } from '../sign-in/devices/shared-devices.ts';

export const inputKeyHandlers = {
  async getInputKey(context) {
    const { db, user, secrets } = context;
    if (await isSharedDevice(db, context))
      throw new HttpError(403, 'Nothing that was typed is kept on a shared device');
    // Always the same for a user, so that the next session can read it, until the server gets another key.
    return { key: secrets.hash('typed input', user.id).toString('base64') };
  },
} satisfies Partial<Handlers>;
