/** What sends the user to the provider is loaded when it is used. */
export const loadProvider = () => import('./provider.ts');
