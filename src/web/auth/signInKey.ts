import { newUuid } from '../newUuid.ts';

let key = newUuid();

/**
 * The key of the sign-in on this page until one succeeds. With it, the server knows that a one-time password is
 * entered again because the response was lost.
 */
export const getSignInKey = () => key;

export function renewSignInKey(): void {
  key = newUuid();
}
