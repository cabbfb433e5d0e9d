// Uploads that never end, on a clock that the test advances.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { formFile, formHead } from '../testing/forms.ts';
import { openRawConnection } from '../testing/raw.ts';
import type { TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server } = createTestServer('sqlite');
const staff = server.user('None');

describe('a slow upload', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Starts an upload of 2 MB, of which the server has received the first bytes. */
  async function beginUpload(client: TestClient) {
    const connection = openRawConnection(server.url);
    connection.write(formHead(client.cookie, 2_000_000));
    connection.write(formFile(Buffer.alloc(2_000_000, 1)).subarray(0, 200));
    await staff.fetch('/healthz');
    return connection;
  }
  /**
   * Sends this many bytes a second for this many seconds, and returns the response if there was
   * one.
   */
  async function send(connections: ReturnType<typeof openRawConnection>[], perSecond: number, seconds: number) {
    for (let second = 0; second < seconds; second++) {
      for (const connection of connections) if (perSecond > 0) connection.write(Buffer.alloc(perSecond, 1));
      await staff.fetch('/healthz'); // after this response the server has read the bytes
      await vi.advanceTimersByTimeAsync(1000);
    }
  }
  test('an upload that stops sending data is ended after 30 s', async () => {
    const before = readdirSync(join(server.folder, 'uploads'), { recursive: true });
    const connection = await beginUpload(staff);
    await send([connection], 0, 29);
    expect(readdirSync(join(server.folder, 'temporary'))).toHaveLength(1);
    const response = connection.readResponse();
    await send([connection], 0, 2);
    const { status, body } = await response;
    expect([status, JSON.parse(body).message]).toEqual([408, 'The upload was too slow. Please try again.']);
    await connection.closed;
    vi.useRealTimers();
    await expect.poll(() => readdirSync(join(server.folder, 'temporary'))).toEqual([]);
    expect(readdirSync(join(server.folder, 'uploads'), { recursive: true })).toEqual(before);
    expect(await server.db.selectFrom('uploads').select('path').execute()).toEqual([]);
    await staff(api.getSession);
  });

  test('an upload of 2 kB a second is accepted for 10 minutes and then ended', async () => {
    const connection = await beginUpload(staff);
    let status: number | undefined;
    const responseArrived = connection.readResponse().then((response) => {
      status = response.status;
    });
    await send([connection], 2000, 595);
    expect(status).toBeUndefined();
    await send([connection], 2000, 10);
    await responseArrived;
    expect(status).toBe(408);
  });

  test('a user may have three slow uploads at once, and a fourth is ended', async () => {
    const slowUser = await server.as('None');
    const connections = await Promise.all([1, 2, 3, 4].map(() => beginUpload(slowUser)));
    const endTimes: number[] = [];
    const responses = connections.map((connection) =>
      connection.readResponse().then(({ status }) => endTimes.push(status)),
    );
    const anotherUpload = await beginUpload(staff);
    await send([...connections, anotherUpload], 2000, 15);
    await Promise.race(responses);
    expect(endTimes).toEqual([408]);
    expect(anotherUpload.socket.closed).toBe(false);
    for (const connection of [...connections, anotherUpload]) connection.socket.destroy();
    await Promise.allSettled(responses);
  });
});
