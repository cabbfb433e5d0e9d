// Sends email by SMTP. Loads nodemailer only if SMTP_URL is set.
import type { Transporter } from 'nodemailer';

export type Email = { to: string; subject: string; text: string; messageId: string };
/** Resolves with the mail server's response; rejects with its reason. */
export type Mailer = { send(email: Email): Promise<string>; close(): void };

type MailSettings = { url: string; from: string; isInsecureAllowed: boolean };

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** Returns why the settings cannot be used, or ''. */
export function findMailProblem({ url, from }: MailSettings): string {
  if (url === '' && from === '') return '';
  if (url === '') return 'MAIL_FROM is set without SMTP_URL, so no email is sent.';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    return 'SMTP_URL cannot be used, so no email is sent. It must look like smtps://user:password@mail.example.com.';
  if (!/^[^@\s]+@[^@\s]+$|<[^@\s]+@[^@\s]+>$/.test(from))
    return 'SMTP_URL is set without an address in MAIL_FROM, so no email is sent.';
  return '';
}

export const isMailSetUp = (settings: MailSettings) => settings.url !== '' && findMailProblem(settings) === '';

/** Whether emails can contain links to this server, which needs PUBLIC_URL. */
export const canSendLinks = ({ mail, publicUrl }: { mail: MailSettings; publicUrl: string }) =>
  isMailSetUp(mail) && publicUrl !== '';

/** The message if emails would have to be sent without encryption, which is not allowed. */
export const encryptionProblem =
  'The mail server offers no encrypted connection (STARTTLS) that can be verified, so email is off. SMTP_INSECURE=1 allows it without, but not with a user.';

/** Mail servers on other machines need an encrypted connection, and so do passwords. */
const requiresTls = ({ hostname, username }: URL, isInsecureAllowed: boolean) =>
  !isLoopback(hostname) && (!isInsecureAllowed || username !== '');

/** Node's codes of certificates that cannot be verified, for example `CERT_HAS_EXPIRED`. */
const certificateErrorPattern = /CERT|HOSTNAME_MISMATCH|UNABLE_TO_VERIFY/;

/** Returns whether emails are not sent because no encrypted connection can be verified. */
export async function isEncryptionMissing({ url, isInsecureAllowed }: MailSettings): Promise<boolean> {
  const smtp = new URL(url);
  if (!requiresTls(smtp, isInsecureAllowed)) return false;
  const transporter = await openTransport(smtp, isInsecureAllowed);
  try {
    await transporter.verify();
    return false;
  } catch (error) {
    const { code, originalCode = '' } = error as { code?: string; originalCode?: string };
    return code === 'ETLS' || certificateErrorPattern.test(originalCode);
  } finally {
    transporter.close();
  }
}

async function openTransport(smtp: URL, isInsecureAllowed: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: smtp.hostname.replace(/^\[|\]$/g, ''),
    ...(smtp.port && { port: Number(smtp.port) }),
    secure: smtp.protocol === 'smtps:',
    ...(smtp.username && {
      auth: { user: decodeURIComponent(smtp.username), pass: decodeURIComponent(smtp.password) },
    }),
    requireTLS: requiresTls(smtp, isInsecureAllowed),
    tls: { rejectUnauthorized: smtp.protocol === 'smtps:' || requiresTls(smtp, isInsecureAllowed) },
    pool: true,
    maxConnections: 3,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
}

/** Creates a mailer, which connects only when there is something to send. */
export function createMailer({ url, from, isInsecureAllowed }: MailSettings): Mailer {
  let transporter: Promise<Transporter> | undefined;
  return {
    async send({ messageId, ...email }) {
      transporter ??= openTransport(new URL(url), isInsecureAllowed);
      const result = await (await transporter).sendMail({
        ...email,
        from,
        messageId: `<${messageId}@${getDomain(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return result.response ?? '';
    },
    close() {
      void transporter?.then((transport) => transport.close());
    },
  };
}

/** Sends one email, with a connection of its own. */
export async function sendEmail(settings: MailSettings, email: Email): Promise<string> {
  const mailer = createMailer(settings);
  try {
    return await mailer.send(email);
  } finally {
    mailer.close();
  }
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);
const getDomain = (from: string) => /@([^@\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
