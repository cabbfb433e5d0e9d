// The product and PocketBase under requests from wrk, which takes little CPU time itself: in the first
// minute of load after the start, and once the servers are warm.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProduct } from '../product.ts';
import { createPocketBaseReport, pocketbaseRequests, preparePocketBase, startPocketBase } from './pocketbase.ts';
import { readCpuMs } from './process-tree.ts';
import { addReaderSessions, addWriters, getSettings, prepareProduct, reportsPerUser } from './product.ts';
import { createSubmitRequest, newestPath } from './product-requests.ts';
import { type Figures, medianFigures, type RequestToSend, type Target } from './requests.ts';
import { formatMs, formatTimes, type Result } from './result.ts';

const runProgram = promisify(execFile);

const connections = 32;
const [warmUpSeconds, measuredSeconds] = [1, 4];
/** Rounds take five seconds. The ones between the first minute and the warm ones are not measured. */
const roundsInFirstMinute = 12;
const roundsBetween = 12;
const roundsWarm = 6;
/** More than either side can answer in a round. */
const reportsPerRound = 8000;

/** Sends the requests of a file in turn, and prints a line of JSON at the end. */
const wrkScript = `
sent = tonumber(os.getenv('FIRST'))
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
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failed":%d,"sent":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, thread:get('sent')))
end
`;

export async function compareFromOutside(result: Result, reports: number): Promise<void> {
  await runProgram('wrk', ['-v']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('wrk is not on this machine: apt-get install wrk.');
  });
  const folder = await mkdtemp(join(tmpdir(), 'compare-'));
  const location = { databaseUrl: '', dataDir: join(folder, 'product') };
  const pocketBaseFolder = join(folder, 'pocketbase');
  await writeFile(join(folder, 'wrk.lua'), wrkScript);

  /** Starts both, sends the same kind of request to each in turn, and prints a row for each phase. */
  async function compare(
    name: string,
    createRequests: () => Promise<RequestToSend[]>,
    createPocketBaseRequests: (token: string) => RequestToSend[],
  ) {
    const product = await startProduct(location.dataDir, getSettings(location));
    const pocketBase = await startPocketBase(pocketBaseFolder);
    try {
      const runRound = async (): Promise<[Figures, Figures]> => [
        await runWrk(folder, product, await createRequests()),
        await runWrk(folder, pocketBase, createPocketBaseRequests(pocketBase.token)),
      ];
      for (const [phase, unmeasured, measured] of [
        ['the first minute', 0, roundsInFirstMinute],
        ['warm', roundsBetween, roundsWarm],
      ] as const) {
        for (let round = 0; round < unmeasured; round++) await runRound();
        const rounds: [Figures, Figures][] = [];
        for (let round = 0; round < measured; round++) rounds.push(await runRound());
        const [a, b] = [medianFigures(rounds.map(([one]) => one)), medianFigures(rounds.map(([, one]) => one))];
        const cells = [formatMs(a.cpuMs), formatMs(b.cpuMs), a.perSecond.toFixed(0), b.perSecond.toFixed(0)];
        result.print(
          `| ${name} | ${phase} | ${cells.join(' | ')} | ${formatTimes(a.perSecond / b.perSecond)} | ${formatMs(a.p99)} | ${formatMs(b.p99)} |`,
        );
      }
    } finally {
      await product.stop();
      await pocketBase.stop();
    }
  }

  try {
    await prepareProduct(location, reports);
    await preparePocketBase(pocketBaseFolder, reports);
    const getReaderHeaders = await addReaderSessions(location);
    const newest = Array.from({ length: connections }, (_, index) => ({
      path: newestPath,
      headers: getReaderHeaders(index),
    }));
    const compareNewest = (name: string) =>
      compare(
        name,
        async () => newest,
        (token) => [{ path: pocketbaseRequests.newest, headers: { authorization: token } }],
      );
    result.print(
      `\n| with wrk, ${connections} connections | | CPU ms | PocketBase | req/s | PocketBase | ratio | p99 ms | PocketBase |\n|---|---|---|---|---|---|---|---|---|`,
    );
    await compareNewest('newest 50, without files');
    await compare(
      'create, with three files',
      async () => {
        const writers = await addWriters(location, reportsPerRound / reportsPerUser, true);
        const createRequest = createSubmitRequest(writers);
        return Array.from({ length: reportsPerRound }, (_, index) => createRequest(index));
      },
      (token) => Array.from({ length: reportsPerRound }, () => createPocketBaseReport(token)),
    );
    await compareNewest('newest 50, with three files each');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends the requests for a second, then measures for four. Throws if a request fails. */
async function runWrk(folder: string, { url, pid }: Target, requests: RequestToSend[]): Promise<Figures> {
  const file = join(folder, 'requests');
  await writeFile(file, requests.map((request) => `${formatRequest(request, url)}\0`).join(''));
  const run = async (first: number, seconds: number) => {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', join(folder, 'wrk.lua'), url];
    const env = { ...process.env, REQUESTS: file, FIRST: `${first}` };
    const { stdout } = await runProgram('wrk', args, { env });
    const figures = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '') as Record<
      'requests' | 'seconds' | 'p50' | 'p99' | 'failed' | 'sent',
      number
    >;
    if (requests.length > connections && figures.sent > requests.length)
      throw new Error(`A round needs more than ${requests.length} requests.`);
    if (figures.failed > 0) throw new Error(`${figures.failed} requests failed: ${requests[0]?.path}`);
    return figures;
  };
  const { sent } = await run(0, warmUpSeconds);
  const cpuBefore = readCpuMs(pid);
  const { requests: answered, seconds, p50, p99 } = await run(sent, measuredSeconds);
  return { perSecond: answered / seconds, cpuMs: (readCpuMs(pid) - cpuBefore) / answered, p50, p99 };
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
