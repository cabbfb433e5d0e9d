// A real mail server for a test, which stores the messages it accepts.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type ReceivedEmail = { to: string[]; messageId: string; subject: string; text: string };

/**
 * Starts a mail server. It rejects messages as for a full mailbox while `isRejecting` is set, and
 * always for the recipient `fullMailbox`. With `hasSelfSignedCertificate` it offers STARTTLS, or
 * with `secure` takes encrypted connections only (`smtps:`).
 */
export async function startMailServer({ hasSelfSignedCertificate = false, secure = false } = {}) {
  const received: ReceivedEmail[] = [];
  const state = { isRejecting: false, fullMailbox: '', delayMs: 0, attempts: 0 };
  const server = new SMTPServer({
    authOptional: true,
    secure,
    // Without a certificate, smtp-server uses one that it has signed itself.
    disabledCommands: hasSelfSignedCertificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    async onData(stream, session, done) {
      const raw = await text(stream).catch((error: Error) => error);
      // The sender was killed in the middle of the message, so it was not received.
      if (raw instanceof Error) return done(raw);
      state.attempts += 1;
      if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      if (state.isRejecting || recipients.includes(state.fullMailbox))
        return done(Object.assign(new Error('Mailbox of <huw@example.com> is full'), { responseCode: 452 }));
      const [head = '', ...body] = raw.split('\r\n\r\n');
      const headers = head.replace(/\r\n\s+/g, ' ');
      const get = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '';
      const content = body.join('\r\n\r\n');
      received.push({
        to: recipients,
        messageId: get('Message-ID'),
        subject: get('Subject'),
        text: /quoted-printable/i.test(get('Content-Transfer-Encoding')) ? decode(content) : content,
      });
      // Like some mail servers, names the recipient in its response.
      done(null, `OK: queued for <${recipients.join()}>`);
    },
  });
  // Connections of a sender that was killed are reset.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    received,
    state,
    settings: { SMTP_URL: `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`, MAIL_FROM: 'Parks <parks@example.com>' },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const decode = (quoted: string) =>
  Buffer.from(
    quoted
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
