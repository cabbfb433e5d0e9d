// Where users are signed in: they see their sessions, and end others with their password.

import type { SignInMethod } from '#shared/users.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import { sha256 } from '../hash.ts';
import type { Handlers } from '../http/handler-context.ts';
import { removeSessionSubscription } from '../notifications/push.ts';
import { notifyUser } from '../sign-in/factors/second-factors.ts';
import { deleteSession, listSessions } from '../sign-in/session/session.ts';
import { assertCurrentPasswordAndFactor } from './current-password.ts';
import { findUser } from './store.ts';

/** The id by which a page names a session: a session cannot be found or used with it. */
const getSessionId = ({ token_hash }: { token_hash: string }) => sha256(token_hash);

export const ownSessionHandlers = {
  listSessions: async ({ db, user, config, now }) =>
    (await listSessions(db, user, config.sessions, now))
      .map((session) => ({
        id: getSessionId(session),
        device: session.device,
        method: session.method as SignInMethod,
        signedInAt: session.created_at,
        lastUsedAt: session.last_seen_at,
        isThis: session.token_hash === user.tokenHash,
      }))
      .toSorted((a, b) => Number(b.isThis) - Number(a.isThis)),

  async endSessions(context) {
    const { db, user, body, config, now, writeTransaction } = context;
    await assertCurrentPasswordAndFactor(
      context,
      (await findUser(db, user.id))?.password_hash,
      'failed to sign out a device',
    );
    await writeTransaction(async (db, logActivity) => {
      const others = (await listSessions(db, user, config.sessions, now)).filter(
        (session) => session.token_hash !== user.tokenHash,
      );
      const chosen = body.id ? others.filter((session) => getSessionId(session) === body.id) : others;
      // None is left if the session has ended already, also when a request is repeated after a lost response.
      for (const { token_hash } of chosen) {
        await deleteSession(db, token_hash);
        await removeSessionSubscription(db, token_hash);
      }
      if (chosen.length === 0) return;
      await notifyUser(
        db,
        now,
        user.id,
        chosen.length === 1 ? 'A device of yours was signed out' : 'Your other devices were signed out',
      );
      logActivity({ action: 'signed out a device of', ...toUserLogFields(user) });
    });
  },
} satisfies Partial<Handlers>;
