// Every report in one gzipped answer, counted as it arrives.
import { get } from 'node:http';
import { createGunzip } from 'node:zlib';

/** `first` is when so many had come, in ms; `bytes` what was on the wire. Rejects when the answer is no 200 or breaks off. */
export function readWholeList(url: string, cookie: string, firstCount: number) {
  const started = performance.now();
  const mark = '"reportType":';
  return new Promise<{ count: number; first: number | undefined; ms: number; bytes: number }>((resolve, reject) => {
    get(`${url}/api/get-reports`, { headers: { cookie, 'accept-encoding': 'gzip' }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`The list answered ${answer.statusCode}`));
      let count = 0;
      let bytes = 0;
      let first: number | undefined;
      let rest = '';
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once('error', reject);
      answer
        .pipe(createGunzip())
        .setEncoding('latin1')
        .on('data', (more: string) => {
          const text = rest + more;
          for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
          rest = text.slice(1 - mark.length);
          if (first === undefined && count >= firstCount) first = performance.now() - started;
        })
        .once('error', reject)
        .once('end', () => resolve({ count, first, ms: performance.now() - started, bytes }));
    }).once('error', reject);
  });
}
