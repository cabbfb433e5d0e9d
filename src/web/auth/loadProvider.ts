/** Loads the code that sends the user to the provider when it is first used. */
export const loadProvider = () => import('./provider.ts');
