// Requests by wrk, which takes little CPU time itself, and the users who send them.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultParks as parks } from '#shared/choices.ts';
import { connect } from '../src/server/db/connect.ts';
import { getCookieName, insertSession } from '../src/server/sign-in/session/session.ts';
import { createReportBody } from '../src/server/testing/factories.ts';
import { seedUploads } from '../src/server/testing/seed-reports.ts';
import { insertUser } from '../src/server/users/store.ts';

export type RequestToSend = { method?: string; path: string; headers?: Record<string, string>; body?: string };

/** A user may have 100 unattached uploads: enough for this many reports with three files. */
const reportsPerUser = 20;

/** Sends the requests of a file in turn, and prints a line of JSON at the end. */
const wrkScript = `
sent = 0
local requests = {}
local file = io.open(os.getenv('REQUESTS'), 'rb')
for request in file:read('*a'):gmatch('(.-)%z') do requests[#requests + 1] = request end
file:close()
request = function()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end
local thread
setup = function(only) thread = only end
done = function(summary)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%f,"failed":%d,"sent":%d}\\n', summary.requests,
    summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.status + errors.timeout, thread:get('sent')))
end
`;

/**
 * Sends these requests in turn for so many seconds. Returns the requests a second. Throws if one fails, or if
 * requests that cannot be repeated do not last.
 */
export async function measureRate(
  url: string,
  requests: RequestToSend[],
  { connections = 8, seconds = 2, canRepeat = true } = {},
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'requests-'));
  const [script, file] = [join(folder, 'wrk.lua'), join(folder, 'requests')];
  await writeFile(script, wrkScript);
  await writeFile(file, requests.map((request) => `${formatRequest(request, url)}\0`).join(''));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const { stdout } = await promisify(execFile)('wrk', args, { env: { ...process.env, REQUESTS: file } })
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Error('wrk is not on this machine: apt-get install wrk.') : error;
    })
    .finally(() => rm(folder, { recursive: true }));
  const figures: Record<string, number> = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '{}');
  const { requests: answered = 0, seconds: elapsed = 1, failed = 1, sent = 0 } = figures;
  if (failed > 0) throw new Error(`${failed} requests failed: ${requests[0]?.path}`);
  if (!canRepeat && sent > requests.length) throw new Error(`A round needs more than ${requests.length} requests.`);
  return answered / elapsed;
}

const formatRequest = ({ method = 'GET', path, headers = {}, body = '' }: RequestToSend, url: string) =>
  [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** Creates staff with sessions and uploads, and requests that each submit a report with three of the uploads. */
export async function createSubmits(dataDir: string, path: string, count: number): Promise<RequestToSend[]> {
  const db = await connect({ databaseUrl: '', dataDir });
  const now = new Date();
  const requests: RequestToSend[] = [];
  while (requests.length < count) {
    const username = `staff${Math.random().toString(36).slice(2)}`;
    const park = parks[requests.length % parks.length] ?? '';
    const user = { username, passwordHash: 'none', role: 'None', park, mustChangePassword: false } as const;
    const id = await insertUser(db, user, now);
    const cookie = `${getCookieName(false)}=${await insertSession(db, id, now)}`;
    const headers = { 'content-type': 'application/json', cookie, 'x-writer': id };
    const uploads = await seedUploads(db, reportsPerUser * 3, id);
    for (let at = 0; at < uploads.length; at += 3) {
      const [photo = '', signature = '', affected = ''] = uploads.slice(at, at + 3);
      const body = JSON.stringify({
        ...createReportBody(photo, signature, affected),
        details: 'Slipped on the wet step by the pool. A first aider attended. '.repeat(4),
      });
      requests.push({ method: 'POST', path, headers, body });
    }
  }
  await db.destroy();
  return requests;
}
