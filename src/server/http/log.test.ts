import { expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startProcess } from '../testing/process.ts';
import { jsonPost } from '../testing/requests.ts';
import { engines, password, signInAt } from '../testing/server.ts';
import { createStorage } from '../testing/storage.ts';

test.each(engines)('a server on %s logs each response with its request id and no personal data', async (engine) => {
  const { dataDir, databaseUrl } = await createStorage(engine);
  const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ADMIN_PASSWORD: password, LOG_LEVEL: 'trace' };
  await using server = await startProcess(settings);
  const admin = await signInAt(server.url, 'admin');
  const secrets = {
    name: 'Xanthippe Quill',
    reporter: 'Zebedee Okonkwo',
    contactNumber: '07700900987',
    details: 'Fractured the left scaphoid',
    location: 'Plot 4711',
  };
  const body = await newReport(admin, secrets);
  const { id } = await admin(api.submitAccident, { body });
  await admin(api.submitAccident, { body: { ...body, age: 'Xanthippe Quill' as never } }).catch(() => {});
  await admin(api.listReports, { query: { q: secrets.name } });
  await admin(api.getReportPdf, { params: { id } });
  await fetch(`${server.url}/api/login`, jsonPost({ username: 'zebedee.okonkwo', password: 'Swordfish-99' }));
  const rejectedResponse = await fetch(`${server.url}/api/get-reports?q=Xanthippe%20Quill`);
  const { requestId } = (await rejectedResponse.json()) as { requestId: string };
  await server.end();

  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries).toContainEqual(
    expect.objectContaining({ reqId: requestId, method: 'GET', route: '/api/get-reports', status: 401 }),
  );
  expect(entries.filter(({ msg }) => msg === 'answered').every(({ reqId }) => reqId)).toBe(true);
  const text = server.output().toLowerCase();
  const secretTexts = [...Object.values(secrets), 'xanthippe', 'zebedee', 'swordfish', password, admin.cookie];
  for (const secret of secretTexts) expect(text).not.toContain(secret.toLowerCase());
  expect(text).not.toContain(body.signature.path.toLowerCase());
});

test('Prometheus metrics are served on a separate port, grouped by route and not by URL', async () => {
  const folder = createTestFolder(onTestFinished);
  await using server = await startProcess({
    DATA_DIR: folder,
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'info',
    METRICS_PORT: '0',
  });
  const admin = await signInAt(server.url, 'admin');
  await admin(api.getUsername, { params: { id: 'no-such-person' } }).catch(() => {});
  const port = /"port":(\d+),"msg":"figures for Prometheus"/.exec(server.output())?.[1];
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(figures).toMatch(/park_reports_request_seconds_count\{method="POST",route="\/api\/login",status="200"\} 1/);
  expect(figures).toMatch(/route="\/api\/user\/:id",status="404"/);
  expect(figures).not.toContain('no-such-person');
  for (const name of ['disk_free_bytes', 'files_answering', 'requests_under_way', 'last_backup_seconds'])
    expect(figures).toMatch(new RegExp(`^park_reports_${name} \\d+`, 'm'));
  expect(figures).toMatch(/^process_resident_memory_bytes \d+/m);
  expect((await fetch(`${server.url}/metrics`)).headers.get('content-type')).not.toMatch(/^text\/plain/);
});
