import fc from 'fast-check';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOidcProvider } from '../testing/oidc-provider.ts';
import { engines, password, startTestServer, type TestClient } from '../testing/server.ts';
import { linkUser, signInAtProvider } from '../testing/single-sign-on.ts';

const roleSettings = {
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: 'admins = Admin @ All parks; one-park = Admin @ Mounds; staff = None @ Mounds',
};
const adminCount = 3;

const user = fc.nat({ max: adminCount - 1 });
const commands = fc.array(
  fc.record({
    kind: fc.constantFrom('admins', 'one-park', 'staff', 'nothing', 'delete', 'assign', 'move', 'unlink', 'allow'),
    ...{ actor: user, target: user },
  }),
  { minLength: 8, maxLength: 8 },
);

test.each(engines)(
  'whatever the provider says and Admins do, one Admin of all parks can sign in with a password, on %s',
  async (engine) => {
    const provider = await startOidcProvider({});
    const server = await startTestServer(engine, { ...provider.settings, ...roleSettings });
    const canSignIn = async ({ username, id }: TestClient) => {
      const reply = server.anonymous(api.login, { body: { username, password } });
      if ((await reply.catch(() => undefined))?.role !== 'Admin') return false;
      const user = await server.db.selectFrom('users').select('parks').where('id', '=', id).executeTakeFirst();
      return user?.parks === 'null';
    };
    await fc.assert(
      fc.asyncProperty(commands, async (commands) => {
        for (const table of ['sessions', 'users', 'identity_links', 'throttles'] as const)
          await server.db.deleteFrom(table).execute();
        const admins: TestClient[] = [];
        for (let at = 0; at < adminCount; at += 1) admins.push(await server.as('Admin'));
        for (const { id } of admins) await linkUser(server, provider, id, id);

        for (const { kind, actor, target } of commands) {
          const [by, of] = [admins[actor], admins[target]] as [TestClient, TestClient];
          const params = { id: of.id };
          const calls: Record<string, () => Promise<unknown>> = {
            delete: () => by(api.deleteUser, { params }),
            assign: () => by(api.assignRole, { body: { username: of.username, role: 'None', park: 'Mounds' } }),
            move: () => by(api.assignRole, { body: { username: of.username, role: 'Admin', park: 'Mounds' } }),
            unlink: () => by(api.unlinkUser, { params }),
            allow: () => by(api.allowLinkedUser, { params }),
          };
          provider.accounts[of.id] = { claims: kind === 'nothing' ? {} : { groups: [kind] } };
          // Calls that are refused change nothing.
          await (calls[kind]?.().catch(() => {}) ?? signInAtProvider(server, provider, of.id));
          const left = await Promise.all(admins.map(canSignIn));
          expect(left).toContain(true);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 15 : 4)) },
    );
    await server.stop();
    await provider.stop();
  },
  600_000,
);
