import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import { startProcess } from '../testing/process.ts';
import { createRawRequest, openRawConnection } from '../testing/raw.ts';
import { password, signInAt } from '../testing/server.ts';

test('an upload cut off by its sender is logged at level info, without a stack trace', async () => {
  const folder = createTestFolder(onTestFinished);
  await using server = await startProcess({ DATA_DIR: folder, LOG_LEVEL: 'info', ADMIN_PASSWORD: password });
  const { cookie } = await signInAt(server.url, 'admin');
  const connection = openRawConnection(server.url);
  const type = 'multipart/form-data; boundary=xyz';
  const head = `POST /api/upload/image HTTP/1.1\nCookie: ${cookie}\nContent-Type: ${type}\nContent-Length: 900000`;
  connection.write(
    createRawRequest(head, '--xyz\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
  );
  connection.write(Buffer.alloc(300_000, 1));
  await fetch(`${server.url}/healthz`);
  connection.socket.resetAndDestroy();
  const lines = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('/api/upload/image'));
  await expect.poll(lines).toHaveLength(1);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 30 });
  expect(server.output()).not.toMatch(/"stack"|"level":[56]0/);
});
