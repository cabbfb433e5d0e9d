// Email to a mail server on another machine is sent over an encrypted connection only.
import { expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { createMailer, isEncryptionMissing } from './email.ts';

/** Starts a mail server at an address that is not known to be this machine. */
async function startRemoteMailServer(options = {}) {
  const mail = await startMailServer(options);
  return { ...mail, settings: { ...mail.settings, SMTP_URL: mail.settings.SMTP_URL.replace('127.0.0.1', '0.0.0.0') } };
}

/** Tries to send an email: whether it is sent, and whether an encrypted connection is missing. */
async function trySending(url: string, isInsecureAllowed: boolean) {
  const settings = { url, from: 'Parks <parks@example.com>', isInsecureAllowed };
  const mailer = createMailer(settings);
  const email = { to: 'huw@example.com', subject: 'x', text: 'x', messageId: 'x' };
  const isSent = await mailer.send(email).then(
    () => true,
    () => false,
  );
  mailer.close();
  return { isSent, isMissing: await isEncryptionMissing(settings) };
}

test.each(engines)(
  'email is off, and Admins see why, while a remote mail server offers no encrypted connection, on %s',
  async (engine) => {
    const mail = await startRemoteMailServer();
    const server = await startTestServer(engine, mail.settings);
    try {
      const admin = await server.as('Admin');
      await server.db.updateTable('users').set({ email: 'huw@example.com' }).where('id', '=', admin.id).execute();
      await vi.waitFor(
        async () =>
          expect((await admin(api.getDeliveryHealth)).problem).toMatch(/STARTTLS.*email is off.*SMTP_INSECURE=1/),
        { timeout: 20_000 },
      );
      expect((await admin(api.getNotificationSettings)).isEmailSetUp).toBe(false);
      expect((await admin(api.sendTestNotification)).channels).toEqual(['app']);
    } finally {
      await server.stop();
      await mail.stop();
    }
  },
);

test('SMTP_INSECURE allows an unencrypted connection to a remote mail server, but never with a password', async () => {
  const mail = await startRemoteMailServer();
  const { SMTP_URL } = mail.settings;
  try {
    const withPassword = SMTP_URL.replace('//', '//parks:secret@');
    expect(await trySending(SMTP_URL, false)).toEqual({ isSent: false, isMissing: true });
    expect(await trySending(SMTP_URL, true)).toEqual({ isSent: true, isMissing: false });
    expect(await trySending(withPassword, true)).toEqual({ isSent: false, isMissing: true });
  } finally {
    await mail.stop();
  }
});

test.each([false, true])(
  'no email is sent to a remote mail server whose certificate cannot be verified (smtps: %s)',
  async (secure) => {
    const mail = await startRemoteMailServer({ hasSelfSignedCertificate: true, secure });
    try {
      expect(await trySending(mail.settings.SMTP_URL, false)).toEqual({ isSent: false, isMissing: true });
      expect(mail.received).toEqual([]);
      // STARTTLS with an unknown server is better than no encryption; `smtps:` asks for a known one.
      expect(await trySending(mail.settings.SMTP_URL, true)).toEqual({ isSent: !secure, isMissing: false });
    } finally {
      await mail.stop();
    }
  },
);
