// Users, their sessions, and counters of failed attempts.
import type { Generated } from 'kysely';
import type { Flag } from './flag.ts';

export type AccountTables = {
  users: {
    id: string;
    username: string;
    /** The username in the form that is compared; see getUsernameKey. */
    username_key: string;
    /** Empty for users whom the provider created. */
    password_hash: string;
    must_change_password: Flag;
    /** When the one-time password signed its user in; null if it has not. */
    one_time_used_at: string | null;
    /** The hash of the key of that sign-in, which a repeated one has too; empty if it had none. */
    one_time_attempt: string;
    role: string;
    /** JSON: a list of parks, or null for all; see user-parks.ts. */
    parks: string;
    created_at: string;
    last_sign_in_at: string | null;
    deleted_at: string | null;
    /** The full name; empty if not known. */
    full_name: string;
    email: string;
    /** Whether the user has opened a link sent to this address. */
    email_confirmed: Flag;
  };
  /** New email addresses, not yet confirmed by opening the link sent there. */
  email_changes: { token_hash: string; user_id: string; email: string; expires_at: string };
  /** `device` names the browser and system, for example `Chrome on Android`; empty if not known. */
  sessions: {
    token_hash: string;
    user_id: string;
    created_at: string;
    last_seen_at: string;
    device: Generated<string>;
    /** What the user signed in with; see `SignInMethod`. */
    method: Generated<string>;
    /** When the user last entered their password, and second factor; empty for sessions of earlier versions. */
    confirmed_at: Generated<string>;
    /** The hash of the token before the last confirmation, which requests under way may still use until then. */
    earlier_hash: Generated<string | null>;
    earlier_until: Generated<string | null>;
    /** The shared device on which the session was started; see auth/shared-devices.ts. */
    shared_device_id: Generated<string | null>;
  };
  /** The browsers in which users have signed in, by the hash of a cookie of their own; see auth/browsers.ts. */
  browsers: { user_id: string; token_hash: string; used_at: string };
  /** Devices that the staff of a park share. `is_allowed` is 0 after a backup was restored. */
  shared_devices: {
    id: string;
    token_hash: string;
    park: string;
    name: string;
    is_allowed: Flag;
    created_at: string;
    created_by: string;
    last_used_at: string;
  };
  /** The PINs of users for shared devices: an encrypted hash. */
  pins: { user_id: string; pin_hash: string; created_at: string };
  /** Who has signed in on which shared device in the last 30 days. */
  device_sign_ins: { id: string; device_id: string; user_id: string; at: string };
  /** The user's identity at the operator's provider. That of a deleted user is kept, so that it is rejected. */
  identity_links: {
    /** The hash of issuer and subject; see auth/identity-links.ts. */
    identity_hash: string;
    user_id: string;
    /**
     * `refused`: the provider names no role, so the user cannot sign in, not even with a password;
     * `allowed`: an Admin lets the user sign in without one.
     */
    access: 'usual' | 'refused' | 'allowed';
    created_at: string;
    created_by: string;
    last_sign_in_at: string | null;
  };
  /** Identities that have tried to sign in, and that an Admin has not linked to a user. */
  waiting_identities: {
    id: string;
    identity_hash: string;
    name: string;
    email: string;
    first_at: string;
    last_at: string;
  };
  /** The reasons for removing users' second factors: how the reviewer made sure who the user is. */
  factor_resets: {
    id: string;
    user_id: string;
    reason: string;
    reason_salt: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
  };
  /** Tokens that are used once and expire soon; see auth/one-use-tokens.ts. */
  one_use_tokens: { token_hash: string; kind: string; user_id: string; attempts: number; expires_at: string };
  /** Keys of apps that show codes, encrypted. `is_confirmed` is 0 until the set-up is complete. */
  authenticators: {
    user_id: string;
    secret: string;
    is_confirmed: Flag;
    created_at: string;
  };
  /** The 30-second periods (`step` is Unix time / 30) whose codes users have used; see factors/app-codes.ts. */
  used_app_codes: { user_id: string; step: number };
  /** Keys on users' devices. `is_confirmed` is 0 until the set-up of the user's first factor is complete. */
  passkeys: {
    id: string;
    user_id: string;
    /** The name that the user chose for it. */
    name: string;
    /** The host name of the pages that it signs in to (WebAuthn: RP ID). */
    host: string;
    credential_id: string;
    public_key: string;
    /** How often it was used, as its device counts; 0 if the device does not count. */
    counter: number;
    /** Whether its device may copy it to others, and has. */
    can_be_backed_up: Flag;
    is_backed_up: Flag;
    is_confirmed: Flag;
    created_at: string;
    last_used_at: string | null;
  };
  /** Hashes of recovery codes. `is_confirmed` is 0 until one of them was typed back. */
  recovery_codes: { user_id: string; number: number; is_confirmed: Flag; code_hash: string; used_at: string | null };
  /** The fingerprint of the key with which stored secrets are encrypted; see secrets/. */
  secrets_key: { id: 1; fingerprint: string };
  /** Counters of attempts; `counted_at` is when the last one was counted. See throttle.ts. */
  throttles: { key: string; count: number; resets_at: string; counted_at: Generated<string> };
};
