// In the service worker: shows messages that the server sent, and opens their screen.

type ShownMessage = { title: string; body: string; link: string; tag: string };
type PushEvent = Event & { data?: { json(): ShownMessage }; waitUntil(work: Promise<unknown>): void };
type ClickEvent = Event & {
  notification: { close(): void; data?: { link?: string } };
  waitUntil(work: Promise<unknown>): void;
};
type WindowClient = { focus(): Promise<WindowClient>; navigate(url: string): Promise<unknown> };
type Worker = {
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: {
    matchAll(options: object): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

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
    // Opens only screens of this app, never another site.
    event.waitUntil(open(worker, /^\/(?![/\\])/.test(link) ? link : '/notifications'));
  });
}

async function open({ clients }: Worker, link: string): Promise<unknown> {
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) return clients.openWindow(link);
  await tab.focus();
  return tab.navigate(link).catch(() => clients.openWindow(link));
}
