// Sends the user to the operator's OpenID Connect provider. Loaded when it is used.
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import type { ProviderPurpose } from '#shared/sign-in/single-sign-on.ts';
import { callApi } from '../client/api.ts';
import { storeTarget, type Target } from './afterSignIn.ts';

/** Tells the other tabs for which purpose the provider has confirmed the user. */
export const createProviderChannel = () => new BroadcastChannel('provider');

const start = async (purpose: ProviderPurpose) => (await callApi(api.startProviderSignIn, { body: { purpose } })).url;

/** Leaves this page; resolves only if the user comes back to it with Back. */
export async function goToProvider(purpose: ProviderPurpose, target: Target) {
  const url = await start(purpose);
  storeTarget(target);
  const isBack = new Promise((resolve) => window.addEventListener('pageshow', resolve, { once: true }));
  window.location.assign(url);
  await isBack;
}

/** Leaves this page as it is: the user goes to the provider in a new tab, which closes itself. */
export async function openProviderTab(purpose: ProviderPurpose) {
  // The tab gets a copy of what this one stores.
  storeTarget(undefined);
  const tab = window.open();
  if (!tab) {
    const message = 'Your browser did not open a new tab. Allow pop-ups for this address, then try again.';
    throw new ApiError(400, JSON.stringify({ message }));
  }
  try {
    tab.location.replace(await start(purpose));
  } catch (error) {
    tab.close();
    throw error;
  }
}
