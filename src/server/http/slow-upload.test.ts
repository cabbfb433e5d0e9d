// Uploads that never end, on a clock that the test advances.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { formFile, formHead } from '../testing/forms.ts';
import { openRawConnection } from '../testing/raw.ts';
import { startTestServer, type TestClient, type TestServer } from '../testing/server.ts';

let server: TestServer;
let staff: TestClient;
beforeAll(async () => {
  server = await startTestServer('sqlite');
  staff = await server.as('None');
});
afterAll(() => server.stop());

describe('a slow upload', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Starts an upload of 2 MB, of which the server has received the first bytes. */
  async function beginUpload(client: TestClient) {
    const line = openRawConnection(server.url);
    line.write(formHead(client.cookie, 2_000_000));
    line.write(formFile(Buffer.alloc(2_000_000, 1)).subarray(0, 200));
    await staff.fetch('/healthz');
    return line;
  }
  /**
   * Sends this many bytes a second for this many seconds, and returns the response if there was
   * one.
   */
  async function send(lines: ReturnType<typeof openRawConnection>[], perSecond: number, seconds: number) {
    for (let second = 0; second < seconds; second++) {
      for (const line of lines) if (perSecond > 0) line.write(Buffer.alloc(perSecond, 1));
      await staff.fetch('/healthz'); // by now the server has read it
      await vi.advanceTimersByTimeAsync(1000);
    }
  }
  test('an upload that stops sending data is ended after 30 s', async () => {
    const before = readdirSync(join(server.folder, 'uploads'), { recursive: true });
    const line = await beginUpload(staff);
    await send([line], 0, 29);
    expect(readdirSync(join(server.folder, 'temporary'))).toHaveLength(1);
    const answer = line.answer();
    await send([line], 0, 2);
    const { status, body } = await answer;
    expect([status, JSON.parse(body).message]).toEqual([408, 'The upload was too slow. Please try again.']);
    await line.closed;
    vi.useRealTimers();
    await expect.poll(() => readdirSync(join(server.folder, 'temporary'))).toEqual([]);
    expect(readdirSync(join(server.folder, 'uploads'), { recursive: true })).toEqual(before);
    expect(await server.db.selectFrom('uploads').select('path').execute()).toEqual([]);
    await staff(api.getSession);
  });

  test('an upload of 2 kB a second is accepted for 10 minutes and then ended', async () => {
    const line = await beginUpload(staff);
    let status: number | undefined;
    const responseArrived = line.answer().then((answer) => {
      status = answer.status;
    });
    await send([line], 2000, 595);
    expect(status).toBeUndefined();
    await send([line], 2000, 10);
    await responseArrived;
    expect(status).toBe(408);
  });

  test('a user may have three slow uploads at once, and a fourth is ended', async () => {
    const slowUser = await server.as('None');
    const lines = await Promise.all([1, 2, 3, 4].map(() => beginUpload(slowUser)));
    const endTimes: number[] = [];
    const answers = lines.map((line) => line.answer().then(({ status }) => endTimes.push(status)));
    const anotherUpload = await beginUpload(staff);
    await send([...lines, anotherUpload], 2000, 15);
    await Promise.race(answers);
    expect(endTimes).toEqual([408]);
    expect(anotherUpload.socket.closed).toBe(false);
    for (const line of [...lines, anotherUpload]) line.socket.destroy();
    await Promise.allSettled(answers);
  });
});
