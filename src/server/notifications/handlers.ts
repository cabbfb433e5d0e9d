// Endpoints for a user's own notifications and their settings, and for whether emails can be sent.
import { isAllowed } from '#shared/access.ts';
import { isRequiredKind, listSettableKinds } from '#shared/notifications.ts';
import { getCounter } from '../db/counters.ts';
import { required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { canSendLinks, encryptionProblem, findMailProblem, isMailSetUp } from './email.ts';
import { emailFlagName, emailFlags, notify } from './notify.ts';
import { addSubscription, getPushKeys, removeSubscription } from './push.ts';
import {
  countUnread,
  findEmailFailure,
  listNotifications,
  listSwitchedOff,
  markRead,
  replaceSwitchedOff,
} from './store.ts';

export const notificationHandlers = {
  listNotifications: ({ db, user, query }) => listNotifications(db, user, query),

  async countNotifications({ db, user }) {
    return { unread: await countUnread(db, user) };
  },

  readNotification: ({ user, params, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      required(await markRead(db, user, params.id, now), 'Notification not found');
    }),

  readAllNotifications: ({ user, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      await markRead(db, user, undefined, now);
    }),

  async getNotificationSettings({ db, user, config, secrets }) {
    const { email } = await db.selectFrom('users').select('email').where('id', '=', user.id).executeTakeFirstOrThrow();
    const deviceRows = await db
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('user_id', '=', user.id)
      .execute();
    return {
      off: await listSwitchedOff(db, user.id),
      isEmailSetUp: (await getCounter(db, emailFlagName)) === emailFlags.on,
      email,
      canChangeEmail: canSendLinks(config),
      pushKey: (await getPushKeys(db, secrets)).publicKey,
      endpoints: deviceRows.map(({ endpoint }) => endpoint),
    };
  },

  saveNotificationSettings: ({ user, body, writeTransaction }) =>
    writeTransaction(async (db) => {
      const settableKinds = listSettableKinds((access) => isAllowed(access, user));
      await replaceSwitchedOff(
        db,
        user.id,
        body.off.filter(({ kind }) => settableKinds.includes(kind) && !isRequiredKind(kind)),
      );
    }),

  sendTestNotification: ({ user, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      const text = 'This is the test you asked for';
      const notificationFields = { thing: 'test', thing_id: '', park: '', text, line: text, link: '/notifications' };
      await notify(db, now, { kind: 'test', to: { users: [user.id] }, ...notificationFields, isUrgent: true });
      const deliveries = await db
        .selectFrom('deliveries')
        .select('channel')
        .distinct()
        .where('user_id', '=', user.id)
        .where('kind', '=', 'test')
        .where('created_at', '=', now.toISOString())
        .execute();
      return { success: true, channels: ['app' as const, ...deliveries.map(({ channel }) => channel)] };
    }),

  addPushSubscription: ({ user, body, config, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      await addSubscription(db, user, body, config.pushOrigins, now);
    }),

  removePushSubscription: ({ user, body, writeTransaction }) =>
    writeTransaction(async (db) => {
      await removeSubscription(db, body.endpoint, user.id);
    }),

  async getDeliveryHealth({ db, config, now }) {
    const isNotEncrypted = (await getCounter(db, emailFlagName)) === emailFlags.notEncrypted;
    const problem = findMailProblem(config.mail) || (isNotEncrypted ? encryptionProblem : '');
    return { problem, emailFailingSince: isMailSetUp(config.mail) ? await findEmailFailure(db, now) : null };
  },
} satisfies Partial<Handlers>;
