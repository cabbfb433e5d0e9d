// Reads all reports in one gzipped response, and counts them as they arrive.
import { get } from 'node:http';
import { createGunzip } from 'node:zlib';

/** `first` is the time in ms for that many reports; `bytes` is the size on the wire. Rejects on an error. */
export function readWholeList(url: string, cookie: string, firstCount: number) {
  const started = performance.now();
  const mark = '"reportType":';
  return new Promise<{ count: number; first: number | undefined; ms: number; bytes: number }>((resolve, reject) => {
    get(`${url}/api/get-reports`, { headers: { cookie, 'accept-encoding': 'gzip' }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`The list answered ${answer.statusCode}`));
      let count = 0;
      let bytes = 0;
      let first: number | undefined;
      let unparsed = '';
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once('error', reject);
      answer
        .pipe(createGunzip())
        .setEncoding('latin1')
        .on('data', (more: string) => {
          const text = unparsed + more;
          for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
          unparsed = text.slice(1 - mark.length);
          if (first === undefined && count >= firstCount) first = performance.now() - started;
        })
        .once('error', reject)
        .once('end', () => resolve({ count, first, ms: performance.now() - started, bytes }));
    }).once('error', reject);
  });
}
