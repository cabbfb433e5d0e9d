// In the service worker: shows messages that the server sent, and opens their screen.

type ShownMessage = { title: string; body: string; link: string; tag: string };
type PushEvent = Event & { data?: { json(): ShownMessage }; waitUntil(work: Promise<unknown>): void };
type ClickEvent = Event & {
  notification: { close(): void; data?: { link?: string } };
  waitUntil(work: Promise<unknown>): void;
};
type WindowClient = {
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: Transferable[]): void;
};
type Worker = {
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: {
    matchAll(options: object): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

/** Makes the service worker show messages, and open their screen when they are tapped. */
export function registerMessages(worker: Worker) {
  worker.addEventListener('push', (event) => {
    const message = event.data?.json();
    if (!message) return;
    const { title, body, link, tag } = message;
    event.waitUntil(
      worker.registration.showNotification(title, { body, tag, data: { link }, icon: '/icons/icon-192.png' }),
    );
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { link = '' } = event.notification.data ?? {};
    // Opens only paths of this site. A tab or line break after the slash could lead to another one.
    event.waitUntil(open(worker, /^\/(?![/\\])\S*$/.test(link) ? link : '/notifications'));
  });
}

/** A browser allows a new window only shortly after the tap. */
const answerTimeoutMs = 300;
const maxAskedTabs = 3;

/** Opens a screen in the first tab that can be left, else in a new window. */
async function open({ clients }: Worker, link: string): Promise<unknown> {
  const tabs = await clients.matchAll({ type: 'window' });
  for (const tab of tabs.slice(0, maxAskedTabs)) if (await opensIn(tab, link)) return tab.focus();
  return clients.openWindow(link);
}

/** Asks a tab to open the screen; the answer is no if a field on it was changed or a dialog is open. */
function opensIn(tab: WindowClient, link: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
    // A frozen tab, or one of an older version, does not answer.
    setTimeout(resolve, answerTimeoutMs, false);
    tab.postMessage({ type: 'open', link }, [port2]);
  }).finally(() => port1.close());
}
