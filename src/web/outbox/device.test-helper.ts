// A device with a simulated clock and any number of tabs, which send to a fake server. Delays take
// no real time.
import { createFakeServer } from './fakeServer.test-helper.ts';
import { createSender, type Wake } from './sender.ts';

type Tab = { sender: ReturnType<typeof createSender>; close(): void; closed: Promise<void> };

/** `userId`: the signed-in user; undefined if the tabs do not know who is signed in. */
export function createDevice(userId?: string) {
  const server = createFakeServer();
  let now = Date.now();
  let isOffline = false;
  const delaysMs: number[] = [];
  /** Like the browser's lock: one tab holds it until its work is done or it is closed. */
  let lock = Promise.resolve();
  function open(): Tab {
    let close = () => {};
    let isClosed = false;
    const closed = new Promise<void>((resolve) => {
      close = () => {
        isClosed = true;
        resolve();
      };
    });
    const sender = createSender({
      fetch: (input, init) => {
        server.onClose(() => {
          close();
          if (page.closed === closed) page = open();
        });
        return server.fetch(input, init);
      },
      now: () => now,
      random: () => 0.5,
      wait: async (ms) => {
        delaysMs.push(ms);
        now += ms;
      },
      isOffline: async () => isOffline,
      getUserId: () => userId,
      onProgress: () => undefined,
      onChange: () => undefined,
      withLock: async (work) => {
        const before = lock;
        let release = () => {};
        lock = new Promise((resolve) => {
          release = resolve;
        });
        await before;
        if (!isClosed) await Promise.race([work(), closed]).finally(release);
        else release();
      },
    });
    return { sender, close, closed };
  }
  let page = open();
  const wakeTab = ({ sender, closed }: Tab, wake?: Wake) => Promise.race([sender.wake(wake), closed]);
  const wake = (wake?: Wake) => wakeTab(page, wake);
  return {
    server,
    delaysMs,
    wake,
    async wakeTwoTabs() {
      const other = open();
      await Promise.all([wake({ isImmediate: true }), wakeTab(other, { isImmediate: true })]);
      other.close();
    },
    isOffline: () => isOffline,
    getNextDelay: () => page.sender.getNextDelay(),
    advanceClock(ms: number) {
      now += ms;
    },
    setOffline(value: boolean) {
      isOffline = value;
    },
  };
}
