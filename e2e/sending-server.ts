// A server that sends email and messages to devices, with a real mail server and a push service
// that decrypts.
import { findFreePort } from '../src/server/testing/free-port.ts';
import { startMailServer } from '../src/server/testing/mail-server.ts';
import { startPushService } from '../src/server/testing/push-service.ts';
import { startTestServer } from '../src/server/testing/server.ts';
import { test as base } from './server.ts';

type Services = {
  mail: Awaited<ReturnType<typeof startMailServer>>;
  push: Awaited<ReturnType<typeof startPushService>>;
};

export const test = base.extend<object, Services>({
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.stop();
    },
    { scope: 'worker' },
  ],
  push: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const push = await startPushService();
      await use(push);
      await push.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mail, push }, use) => {
      const port = await findFreePort();
      const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
      const server = await startTestServer('sqlite', { ...mail.settings, ...push.settings, ...address });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
