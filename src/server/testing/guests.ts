// A guest: opens the page of a label and sends its form, as a browser without scripts does.
import { api } from '#shared/api.ts';
import type { TestServer } from './server.ts';

type Form = Record<string, string | Blob>;
type GuestListener = Pick<TestServer, 'guestUrl'>;

/** Gives a new place of a park a label; returns its code. */
export async function addLabel(server: TestServer, park: string, name: string): Promise<string> {
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park: park as 'Mounds', names: [name] } });
  await admin(api.addLabels, { body: { park: park as 'Mounds' } });
  return (await admin(api.listPlaces)).find((place) => place.park === park && place.name === name)?.label ?? '';
}

/** Returns the hidden id of a new form. */
export async function openForm({ guestUrl }: GuestListener, label: string): Promise<string> {
  const page = await (await fetch(`${guestUrl}/h/${label}`)).text();
  return /name="form" value="(\w+)"/.exec(page)?.[1] ?? '';
}

/** Sends a form from an IP address; a photo goes last, as on the page. */
export function sendForm(
  { guestUrl }: GuestListener,
  label: string,
  form: Form,
  ip = '198.51.100.7',
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(form))
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'IMG_0001.jpg');
  return fetch(`${guestUrl}/h/${label}`, {
    ...{ method: 'POST', body, redirect: 'manual' },
    headers: { 'x-forwarded-for': ip },
  });
}
