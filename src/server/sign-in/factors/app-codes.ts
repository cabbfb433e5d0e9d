// Codes from an app on the user's phone (RFC 6238: SHA-1, six digits, 30 seconds).
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Database } from '../../db/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';

const period = 30;
const options = { algorithm: 'SHA1', digits: 6, period };

/** Returns how many periods of 30 seconds have passed since 1970. */
const getStep = (now: Date) => Math.floor(now.getTime() / (period * 1000));

export const generateAppKey = () => new Secret({ size: 20 }).base32;

export const generateAppCode = (key: string, now: Date): string =>
  new TOTP({ ...options, secret: Secret.fromBase32(key) }).generate({ timestamp: now.getTime() });

/** Returns the URL of a picture of a text's QR code. */
export const drawQrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 4 })).toString('base64')}`;

/** Returns what an app needs: the key as a link, and the link as a picture of a QR code. */
export function describeAppKey(key: string, username: string, operatorName: string) {
  const totp = new TOTP({ ...options, secret: Secret.fromBase32(key), issuer: operatorName, label: username });
  const link = totp.toString();
  return { key, link, qrCode: drawQrCode(link) };
}

/** Stores a key that becomes active once its set-up is complete. Replaces a key whose set-up was not completed. */
export async function insertAppKey(db: Database, secrets: Secrets, user_id: string, key: string, now: Date) {
  const secret = secrets.encrypt(key, user_id);
  const row = { secret, is_confirmed: 0 as const, created_at: now.toISOString() };
  await db
    .insertInto('authenticators')
    .values({ user_id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
  await db.deleteFrom('used_app_codes').where('user_id', '=', user_id).execute();
}

/** Used codes are kept for a day: a clock may be set back. */
const keptSteps = (24 * 60 * 60) / period;

/**
 * Checks a code, and uses it up if it is right: each works once, on all instances, also one that was
 * used while the clock was ahead. `expired` is a code
 * of the 30 seconds before, or one that was used.
 */
export async function consumeAppCode(
  db: Database,
  secrets: Secrets,
  { userId, code, isConfirmed }: { userId: string; code: string; isConfirmed: boolean },
  now: Date,
): Promise<'right' | 'wrong' | 'expired'> {
  const row = await db
    .selectFrom('authenticators')
    .select('secret')
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', isConfirmed ? 1 : 0)
    .executeTakeFirst();
  if (!row) return 'wrong';
  const key = secrets.decrypt(row.secret, userId);
  if (code === generateAppCode(key, new Date(now.getTime() - period * 1000))) return 'expired';
  if (code !== generateAppCode(key, now)) return 'wrong';
  const step = getStep(now);
  await db
    .deleteFrom('used_app_codes')
    .where('user_id', '=', userId)
    .where('step', '<', step - keptSteps)
    .execute();
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('used_app_codes')
    .values({ user_id: userId, step })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n ? 'right' : 'expired';
}
