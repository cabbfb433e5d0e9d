// Reads all reports in one gzipped response, and counts them as they arrive.
import { get } from 'node:http';
import { createGunzip } from 'node:zlib';

/**
 * Returns the number of reports, the time in ms of all, that until `firstCount` reports have arrived
 * (`first`), and the size on the wire. Rejects on an error.
 */
export function readWholeList(url: string, cookie: string, firstCount: number) {
  const started = performance.now();
  const reportMarker = '"reportType":';
  return new Promise<{ count: number; first: number | undefined; ms: number; bytes: number }>((resolve, reject) => {
    get(`${url}/api/get-reports`, { headers: { cookie, 'accept-encoding': 'gzip' }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`The list answered ${response.statusCode}`));
      let count = 0;
      let bytes = 0;
      let first: number | undefined;
      let unparsed = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('error', reject);
      response
        .pipe(createGunzip())
        .setEncoding('latin1')
        .on('data', (more: string) => {
          const text = unparsed + more;
          for (let at = text.indexOf(reportMarker); at >= 0; at = text.indexOf(reportMarker, at + 1)) count += 1;
          unparsed = text.slice(1 - reportMarker.length);
          if (first === undefined && count >= firstCount) first = performance.now() - started;
        })
        .once('error', reject)
        .once('end', () => resolve({ count, first, ms: performance.now() - started, bytes }));
    }).once('error', reject);
  });
}
