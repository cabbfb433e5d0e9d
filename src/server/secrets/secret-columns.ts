// Every column with encrypted values. A test compares the list with what is stored.
import { everyRow } from '../db/every-row.ts';
import type { Database, Tables } from '../db/schema.ts';
import { createSecrets, isEncrypted, type Secrets } from './secrets.ts';

type SecretColumn = {
  [Table in keyof Tables]: {
    table: Table;
    column: keyof Tables[Table] & string;
    owner: keyof Tables[Table] & string;
    content: string;
  };
}[keyof Tables];

/**
 * `owner` is the column whose value the encryption is bound to; `content` says what is lost without
 * the key.
 */
const secretColumns: SecretColumn[] = [
  {
    table: 'push_keys',
    column: 'private_key',
    owner: 'id',
    content: 'the key for push notifications: users switch them on again on each device',
  },
  {
    table: 'authenticators',
    column: 'secret',
    owner: 'user_id',
    content:
      'the keys of apps that show codes for signing in: their users sign in with the password, and set them up again',
  },
  { table: 'pins', column: 'pin_hash', owner: 'user_id', content: 'the PINs of staff: they choose new ones' },
];

type Row = { owner: string | number; stored: string };

/** Encrypts values that an earlier version stored as plain text. */
export async function encryptPlainSecrets(db: Database, secrets: Secrets): Promise<void> {
  const encryptPlain = (stored: string, owner: string) =>
    isEncrypted(stored) ? stored : secrets.encrypt(stored, owner);
  await db.transaction().execute((db) => replaceSecrets(db, encryptPlain));
}

/** Encrypts every secret with another key. Throws, with nothing changed, if one cannot be read. */
export async function reencryptSecrets(db: Database, from: Buffer, to: Buffer): Promise<void> {
  const [old, next] = [createSecrets(from), createSecrets(to)];
  await replaceSecrets(db, (stored, owner) => next.encrypt(old.decrypt(stored, owner), owner));
}

/**
 * Deletes all secrets, because their key is lost, so that the next start uses another. Returns what
 * was deleted, in words.
 */
export async function deleteSecrets(db: Database): Promise<string[]> {
  const deletedContents: string[] = [];
  await db.transaction().execute(async (db) => {
    for (const { table, content } of secretColumns) {
      const { numDeletedRows } = await db.deleteFrom(table).where(everyRow).executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) deletedContents.push(content);
    }
    await db.deleteFrom('secrets_key').where(everyRow).execute();
  });
  return deletedContents;
}

async function replaceSecrets(db: Database, replace: (stored: string, owner: string) => string): Promise<void> {
  for (const { table, column, owner } of secretColumns) {
    const rows = (await db
      .selectFrom(table)
      .select([`${owner} as owner` as never, `${column} as stored` as never])
      .execute()) as Row[];
    for (const row of rows) {
      const value = replace(row.stored, String(row.owner));
      if (value === row.stored) continue;
      await db
        .updateTable(table)
        .set({ [column]: value } as never)
        .where(owner as never, '=', row.owner as never)
        .execute();
    }
  }
}
