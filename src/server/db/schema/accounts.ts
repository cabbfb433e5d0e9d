// Users, their sessions, and counters of failed attempts.
import type { Generated } from 'kysely';
import type { Flag } from './flag.ts';

export type AccountTables = {
  users: {
    id: string;
    username: string;
    /** The username as it is compared; see getUsernameKey. */
    username_key: string;
    password_hash: string;
    must_change_password: Flag;
    role: string;
    /** JSON: a list of parks, or null for all; see user-parks.ts. */
    parks: string;
    created_at: string;
    last_sign_in_at: string | null;
    deleted_at: string | null;
    /** The full name; empty if not known. */
    full_name: string;
    email: string;
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
  };
  /** The fingerprint of the key with which stored secrets are encrypted; see secrets/. */
  secrets_key: { id: 1; fingerprint: string };
  throttles: { key: string; count: number; resets_at: string };
};
