/** Loads the code for passkeys when one is first used. */
export const loadPasskeys = () => import('./passkeys.ts');

/** Returns what was typed, or what a passkey that the user chooses has signed instead. */
export const toProof = async <Typed>(typed: Typed | 'passkey') =>
  typed === 'passkey' ? { passkey: await (await loadPasskeys()).askForPasskey() } : typed;
