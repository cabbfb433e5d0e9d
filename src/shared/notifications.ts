// Notifications: kinds of events, channels, and the schemas of their endpoints.
import * as z from 'zod/mini';
import type { AccessLevel } from './contract.ts';

/**
 * The kinds of notifications. `access` is who may be notified. A kind with `isRequired` cannot be
 * switched off.
 */
export const notificationKinds = {
  reportFiled: { label: 'A report is submitted', access: 'reviewer' },
  failingAnswers: { label: 'A checklist is submitted with failing answers', access: 'reviewer' },
  auditAssigned: { label: 'An audit is assigned to you, or for you to verify', access: 'signedIn' },
  urgentAudit: { label: 'An urgent audit is created', access: 'reviewer' },
  hazardReported: { label: 'A hazard without an assignee is reported', access: 'reviewer' },
  lessonUnassigned: { label: 'An audit of a lesson has no assignee', access: 'reviewer' },
  guestMessage: { label: 'A guest sends a message, or one is unread', access: 'reviewer' },
  auditDue: { label: 'An audit assigned to you, or its verification, is due tomorrow or overdue', access: 'signedIn' },
  auditOverdue: { label: 'An audit or its verification is overdue for 3 days or more', access: 'reviewer' },
  auditDeleted: {
    label: 'A hazard, or an audit from a report, checklist, investigation, lesson or message, is deleted',
    access: 'reviewer',
  },
  investigationDue: { label: 'An investigation is due, or overdue', access: 'reviewer' },
  placeMissing: { label: 'A checklist does not say for which place it was filled in', access: 'reviewer' },
  checkMissed: { label: 'A scheduled check is missed', access: 'reviewer' },
  legalDeadline: { label: 'A legal deadline is near', access: 'reviewer', isRequired: true },
  holdReview: { label: 'A hold is due for review', access: 'adminOfAllParks' },
  weeklyDigest: { label: 'The week in numbers, on Mondays', access: 'reviewer' },
  signInChanged: { label: 'How you sign in changes', access: 'signedIn', isRequired: true },
  userChanged: {
    label: 'The email address or password of a user is changed, or a user becomes Admin or gets all parks',
    access: 'admin',
    isRequired: true,
  },
  factorRemoved: { label: "A user's second factor is removed", access: 'admin', isRequired: true },
  passwordGuessed: { label: "Someone tries many passwords for a user's username", access: 'admin', isRequired: true },
  providerRefusal: {
    label: 'Single sign-on rejects a user, or would leave no Admin',
    access: 'admin',
    isRequired: true,
  },
  test: { label: 'A test you asked for', access: 'signedIn', isRequired: true },
} as const satisfies Record<string, { label: string; access: AccessLevel; isRequired?: true }>;
export type NotificationKind = keyof typeof notificationKinds;

const kinds = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]];

export const notificationChannels = ['app', 'email', 'push'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];
export const channelLabels: Record<NotificationChannel, string> = {
  app: 'In the app',
  email: 'Email',
  push: 'On this device',
};

/** The kinds that a user may switch on and off. */
export const listSettableKinds = (isAllowed: (access: AccessLevel) => boolean): NotificationKind[] =>
  kinds.filter((kind) => kind !== 'test' && isAllowed(notificationKinds[kind].access));

export const isRequiredKind = (kind: NotificationKind) => 'isRequired' in notificationKinds[kind];

/** Messages outside the app wait from 21:00 to 07:00 in the parks' time zone, unless urgent. */
export const quietHours = { from: '21:00', to: '07:00' } as const;

/** The state of one message to one user, updated at every attempt. */
export const Delivery = z.object({
  to: z.string(),
  channel: z.enum(['email', 'push']),
  state: z.enum(['waiting', 'sent', 'failed', 'dropped']),
  /** The time of the last attempt. */
  at: z.nullable(z.string()),
  attempts: z.number(),
  /**
   * The last response of the mail server or push service, or why nothing was sent. Empty for staff
   * unless the state is `dropped`.
   */
  answer: z.string(),
});
export type Delivery = z.output<typeof Delivery>;

export const Notification = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  text: z.string(),
  link: z.string(),
  park: z.string(),
  created_at: z.string(),
  read_at: z.nullable(z.string()),
  deliveries: z.array(Delivery),
});
export type Notification = z.output<typeof Notification>;

/** A page of notifications older than `before`, the id of the last one already shown. */
export const NotificationQuery = z.object({
  before: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
});

const SwitchedOff = z.object({
  kind: z.enum(kinds, 'Choose a kind of notification'),
  channel: z.enum(notificationChannels, 'Choose a channel'),
});

/** The kinds and channels a user has switched off; all others are on. */
export const NotificationSettingsChange = z.object({ off: z.array(SwitchedOff).check(z.maxLength(100)) });

export const NotificationSettings = z.object({
  off: z.array(SwitchedOff),
  /** Whether the server can send email, and the user's own address. */
  isEmailSetUp: z.boolean(),
  email: z.string(),
  /** Whether the server can send the link that confirms a user's new address. */
  canChangeEmail: z.boolean(),
  /** The key that a browser needs to subscribe. */
  pushKey: z.string(),
  /** The addresses of the devices on which the user is subscribed. */
  endpoints: z.array(z.string()),
});
export type NotificationSettings = z.output<typeof NotificationSettings>;

const key = (length: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+={0,2}$/), z.maxLength(length));

/** A subscription as the browser's `PushSubscription.toJSON()` returns it. */
export const PushSubscription = z.object({
  endpoint: z.string('This browser sent no push address').check(z.maxLength(1000)),
  keys: z.object({ p256dh: key(200), auth: key(60) }),
});
export const PushRemoval = z.object({ endpoint: z.string().check(z.maxLength(1000)) });

/** The state of sending that Admins see. `emailFailingSince` is null while email works. */
export const DeliveryHealth = z.object({ problem: z.string(), emailFailingSince: z.nullable(z.string()) });

/** `Emailed to huw at 09:14 (accepted by the mail server)`. */
export function describeDelivery(
  { to, channel, state, at, attempts, answer }: Delivery,
  formatTimestamp: (iso: string) => string,
) {
  const what = channel === 'email' ? 'Email' : 'Message';
  const when = at ? formatTimestamp(at) : '';
  if (state === 'sent')
    return channel === 'email'
      ? `Emailed to ${to} at ${when} (accepted by the mail server)`
      : `Sent to a device of ${to} at ${when} (accepted by the push service)`;
  const why = answer && `: ${answer}`;
  if (state === 'failed') return `${what} to ${to} failed after ${attempts} attempts${why}`;
  if (state === 'dropped') return `${what} to ${to} was not sent${why}`;
  return attempts > 0
    ? `${what} to ${to} failed at ${when} and will be tried again${why}`
    : `${what} to ${to} is waiting to be sent`;
}
