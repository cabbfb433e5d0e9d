// Upload forms byte by byte, for requests that no browser sends.
import { createRawRequest } from './raw.ts';

/** The head of an upload request of the user with this cookie. */
export const formHead = (cookie: string, length: number, boundary = 'xyz') =>
  createRawRequest(
    `POST /api/upload/image HTTP/1.1\nCookie: ${cookie}\nContent-Type: multipart/form-data; boundary=${boundary}\nContent-Length: ${length}`,
  );

export const formPart = (disposition: string, content: string | Buffer, headers = 'Content-Type: image/jpeg\r\n') =>
  Buffer.concat([
    Buffer.from(`--xyz\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
export const formFile = (content: string | Buffer) => formPart('form-data; name="image"; filename="a.jpg"', content);
export const formEnd = Buffer.from('--xyz--\r\n');
