import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { openSecrets, rotateSecrets } from '../secrets/secrets-key.ts';
import { consumeAppCode, generateAppCode } from '../sign-in/factors/app-codes.ts';
import { countLostPasskeys } from '../sign-in/factors/passkeys.ts';
import { listMethods } from '../sign-in/factors/second-factors.ts';
import { addPasskey, createAuthenticator } from '../testing/authenticator.ts';
import { fillAsFirstRelease } from '../testing/first-release.ts';
import { createTestFolder } from '../testing/folder.ts';
import { enterPassword, setUpApp, signInWithPasskey } from '../testing/second-step.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { makePinUser, shareDevice, signInWithPin } from '../testing/shared-devices.ts';
import { linkUser } from '../testing/single-sign-on.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore.ts';

const PUBLIC_URL = 'http://localhost';

describe.each(engines)('second factors in a backup, on %s', (engine) => {
  const folder = createTestFolder();
  const now = Date.now();
  let key: string;
  const { server } = createTestServer(engine, { PUBLIC_URL }, () => now);
  const user = server.user('Admin');
  beforeAll(async () => {
    ({ key } = await setUpApp(user, () => now));
    await linkUser(server, { issuer: 'https://login.example' }, user.id, 'sian');
  });

  async function restoreInto(passphrase: string) {
    const config = { ...server.config, backup: { ...server.config.backup, passphrase, scryptWorkFactor: 8 } };
    const { folder: backup } = await createBackup(config, join(folder, `backups ${passphrase}`));
    const target = { ...config, ...(await createStorage(engine)) };
    const { lostSecrets, secondFactorUsers, linkedUsers } = await restoreBackup(target, backup);
    const db = await connectTo(target);
    expect(linkedUsers).toEqual([user.username]);
    return { lostSecrets, secondFactorUsers, target, db };
  }

  test('codes from an app work after a restore and a rotation, recovery codes do not, and unfinished sign-ins are left out', async () => {
    await enterPassword(server.url, user.username);
    expect(await server.db.selectFrom('one_use_tokens').selectAll().execute()).toHaveLength(1);
    const { secondFactorUsers, target, db } = await restoreInto('holiday park tide kettle');
    expect(secondFactorUsers).toEqual([user.username]);
    expect(await db.selectFrom('one_use_tokens').selectAll().execute()).toEqual([]);
    expect(await listMethods(db, server.config, user.id)).toEqual(['app']);
    await rotateSecrets(target, db, () => {});
    const later = new Date(now + 60_000);
    const code = generateAppCode(key, later);
    const secrets = await openSecrets(target, db);
    expect(await consumeAppCode(db, secrets, { userId: user.id, code, isConfirmed: true }, later)).toBe('right');
  });

  test('a restore without the key removes codes from apps, and says so', async () => {
    const { lostSecrets, secondFactorUsers, db } = await restoreInto('');
    expect(lostSecrets).toEqual([expect.stringContaining('apps that show codes')]);
    expect(secondFactorUsers).toEqual([]);
    expect(await listMethods(db, server.config, user.id)).toEqual([]);
    expect(await user(api.getSecondFactors)).toMatchObject({ recoveryCodes: 9 });
  });

  test('passkeys work after a restore, and shared devices only once an Admin allows them', async () => {
    const owner = await server.as('None');
    const passkey = createAuthenticator(PUBLIC_URL);
    await addPasskey(owner, passkey);
    const reviewer = await server.as('Admin');
    const device = await shareDevice(reviewer);
    const staff = await makePinUser(server);
    const { target, db } = await restoreInto('lido lamp ladder lifebuoy');
    const restored = await startTestServer(
      'sqlite',
      { PUBLIC_URL, DATA_DIR: target.dataDir, DATABASE_URL: target.databaseUrl },
      () => now,
      undefined,
      // The database is there already.
      async () => {},
    );
    onTestFinished(() => restored.stop());
    const { challenge } = await restored.anonymous(api.requestPasskey);
    expect(await signInWithPasskey(restored.url, passkey.sign(challenge))).toMatchObject({ status: 200 });
    expect(await countLostPasskeys(db, target)).toBe(0);
    expect(await countLostPasskeys(db, { ...target, passkeyHost: 'reports.example.com' })).toBe(1);

    expect(await signInWithPin(restored, device, staff)).toMatchObject({ status: 403 });
    const admin = await restored.createSession(reviewer.id, reviewer.username);
    const [listed] = await admin(api.listSharedDevices);
    expect(listed?.isAllowed).toBe(false);
    await admin(api.allowSharedDevice, { params: { id: listed?.id ?? '' } });
    expect(await signInWithPin(restored, device, staff)).toMatchObject({ status: 200 });
  });

  test('a backup of the first release, which had no second factors, is restored', async () => {
    const config = { ...server.config, ...(await createStorage(engine)) };
    await fillAsFirstRelease(config);
    const { folder: backup } = await createBackup(config, join(folder, 'first release'));
    const restored = await restoreBackup({ ...config, ...(await createStorage(engine)) }, backup);
    expect(restored).toMatchObject({ secondFactorUsers: [], linkedUsers: [] });
  });
});
