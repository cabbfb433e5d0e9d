// Ten codes that a user keeps on paper, for the day when the phone is lost. Each works once.

import { countRows } from '../../db/queries.ts';
import type { Database } from '../../db/schema.ts';
import { generatePassword, hashPassword, verifyPassword } from '../session/passwords.ts';

const codeCount = 10;
/** Characters after the number, without hyphens. */
const secretLength = 16;

/** Returns new codes, each beginning with its number so that checking one costs one hash. */
export async function generateRecoveryCodes() {
  const secrets = Array.from({ length: codeCount }, generatePassword);
  const hashes = await Promise.all(secrets.map((secret) => hashPassword(secret.replaceAll('-', ''))));
  return { codes: secrets.map((secret, at) => `${at + 1}-${secret}`), hashes };
}

/** Stores new codes. They replace the earlier ones once the user has entered one of them. */
export async function insertRecoveryCodes(db: Database, user_id: string, hashes: string[]): Promise<void> {
  await deleteUnconfirmedCodes(db, user_id);
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash, at) => ({ user_id, number: at + 1, is_confirmed: 0 as const, code_hash })))
    .execute();
}

/** Deletes new codes of which the user has not entered one yet. */
async function deleteUnconfirmedCodes(db: Database, user_id: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', user_id).where('is_confirmed', '=', 0).execute();
}

/** Returns the number of a code that is right and unused. Hyphens, spaces and capitals do not matter. */
export async function findRecoveryCode(
  db: Database,
  { userId, code, isConfirmed }: { userId: string; code: string; isConfirmed: boolean },
): Promise<number | undefined> {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  const number = Number(plain.slice(0, -secretLength));
  const row = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', isConfirmed ? 1 : 0)
    .where('number', '=', number <= codeCount ? number : 0)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return (await verifyPassword(row?.code_hash, plain.slice(-secretLength))) ? number : undefined;
}

/** Uses up a code. Returns false if it was used up before. */
export async function consumeRecoveryCode(db: Database, userId: string, number: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', 1)
    .where('number', '=', number)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Replaces the earlier codes with the new ones. The one that the user has entered is used up: someone may have seen it. */
export async function confirmRecoveryCodes(db: Database, userId: string, number: number, now: Date): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).where('is_confirmed', '=', 1).execute();
  await db.updateTable('recovery_codes').set({ is_confirmed: 1 }).where('user_id', '=', userId).execute();
  await consumeRecoveryCode(db, userId, number, now);
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return countRows(
    db
      .selectFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('is_confirmed', '=', 1)
      .where('used_at', 'is', null),
  );
}
