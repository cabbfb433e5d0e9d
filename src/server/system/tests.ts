// Tests that an Admin starts under System. Each failure is a sentence of this program with a code, because the words
// of another server may contain addresses or names.
import { randomBytes } from 'node:crypto';
import type { SystemTestResult } from '#shared/system/system.ts';
import { getHost } from '#shared/system/system.ts';
import type { Config } from '../config.ts';
import { newFilePath } from '../files/store.ts';
import type { Services } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { sendEmail } from '../notifications/email.ts';
import type { ProviderSettings } from '../provider-settings.ts';

type Files = Services['files'];

const providerTimeoutMs = 5000;
const maxDocumentBytes = 64 * 1024;

/** Node's and nodemailer's codes, such as `ECONNREFUSED`; anything else could be someone else's words. */
const getCode = (error: unknown) => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const found = [code, (cause as { code?: unknown } | undefined)?.code].find(
    (value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(value),
  );
  return found ? String(found) : 'FAILED';
};

/** The link shows that the email arrived: see first-steps. */
export async function testEmail(
  { mail, publicUrl, operator }: Config,
  to: string,
  token: string,
): Promise<SystemTestResult> {
  const link = publicUrl && `\n\nOpen this to note that it arrived:\n${publicUrl}/admin/first-steps#${token}`;
  try {
    await sendEmail(mail, {
      to,
      subject: `${operator.name}: test email`,
      text: `This is the test email that you asked for.${link}\n`,
      messageId: `system-test-${newId()}`,
    });
    return { code: '', text: `The mail server has accepted an email to ${to}.` };
  } catch (error) {
    return { code: getCode(error), text: 'The mail server did not accept the email.' };
  }
}

/** Writes, reads and deletes a file under a random name. */
export async function testStorage(files: Files, now: Date): Promise<SystemTestResult> {
  const path = newFilePath('png', now);
  const bytes = randomBytes(1024);
  try {
    try {
      await files.write(path, bytes);
      const read = await files.read(path);
      if (!read?.equals(bytes)) return { code: 'DIFFERENT', text: 'A file was stored, and read with other content.' };
    } finally {
      await files.remove(path);
    }
    return { code: '', text: 'A file was stored, read and deleted.' };
  } catch (error) {
    return { code: getCode(error), text: 'A file could not be stored, read and deleted.' };
  }
}

/** Reads the provider's description of itself, from the address of OIDC_ISSUER only. Never returns what it says. */
export async function testProvider({ issuer }: Pick<ProviderSettings, 'issuer'>): Promise<SystemTestResult> {
  const host = getHost(issuer);
  try {
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(providerTimeoutMs),
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { code: `STATUS_${response.status}`, text: `${host} did not return its description.` };
    }
    const text = await readLimited(response);
    if (text === undefined) return { code: 'TOO_LARGE', text: `${host} returned too much.` };
    if (parseIssuer(text) !== issuer)
      return { code: 'OTHER_ISSUER', text: `${host} does not describe the provider that OIDC_ISSUER names.` };
    return { code: '', text: `${host} returned its description.` };
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError';
    return { code: isTimeout ? 'TIMEOUT' : getCode(error), text: `${host} could not be reached.` };
  }
}

/** Returns the body; undefined if it is too large. */
async function readLimited(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Ending the loop cancels the rest.
    if (size > maxDocumentBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseIssuer(text: string): unknown {
  try {
    return (JSON.parse(text) as { issuer?: unknown } | null)?.issuer;
  } catch {
    return undefined;
  }
}
