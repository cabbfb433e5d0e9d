// The tables for Kysely. Columns have the API's field names; timestamps are ISO 8601 UTC text, days
// YYYY-MM-DD, booleans 0/1, lists and objects JSON text. `deletion_id` is null unless deleted.
import type { Kysely } from 'kysely';
import type { Authority } from '#shared/law/authority.ts';
import type { NotificationChannel, NotificationKind } from '#shared/notifications.ts';
import type { PackState } from '#shared/packs.ts';
import type { ReportType } from '#shared/reports.ts';

type Flag = 0 | 1;
export type PackItemThing = 'report' | 'audit' | 'checks';

export type Tables = {
  users: {
    id: string;
    username: string;
    username_key: string;
    password_hash: string;
    must_change_password: Flag;
    role: string;
    park: string;
    created_at: string;
    last_sign_in_at: string | null;
    deleted_at: string | null;
    /** Empty if not known. */
    full_name: string;
    email: string;
  };
  /** Reports that are not deleted, counted by triggers. */
  report_months: { reportType: ReportType; month: string; count: number };
  /** New email addresses, not yet confirmed by opening the link sent there. */
  email_changes: { token_hash: string; user_id: string; email: string; expires_at: string };
  /** Notifications shown in the app. Deleted after 90 days. */
  notifications: {
    id: string;
    position: number;
    user_id: string;
    kind: NotificationKind;
    /** Ensures that a user is notified of an event only once. */
    event: string;
    thing: string;
    thing_id: string;
    /** Only users who see this park are notified; empty for all parks. */
    park: string;
    words: string;
    link: string;
    created_at: string;
    read_at: string | null;
  };
  /** The kinds and channels that users have switched off. */
  notifications_off: { user_id: string; kind: NotificationKind; channel: NotificationChannel };
  /** One message to one user by one channel. Stored as long as the record it is about. */
  deliveries: {
    id: string;
    position: number;
    user_id: string;
    user_name: string;
    channel: 'email' | 'push';
    /** The device; empty for email. */
    subscription_id: string;
    kind: NotificationKind;
    event: string;
    thing: string;
    thing_id: string;
    park: string;
    /** The text sent by email and push: kind, number and park only. */
    line: string;
    link: string;
    is_urgent: Flag;
    created_at: string;
    due_at: string;
    state: 'waiting' | 'sent' | 'failed' | 'dropped';
    attempts: number;
    /** The end of the lease of the instance that is sending it; empty if none. */
    leased_until: string;
  };
  /** The mail server's or push service's response to each attempt. */
  delivery_attempts: {
    id: string;
    delivery_id: string;
    /** The same for all deliveries that are sent as one message. */
    message_id: string;
    channel: 'email' | 'push';
    at: string;
    is_accepted: Flag;
    answer: string;
  };
  push_subscriptions: {
    id: string;
    user_id: string;
    /** The hash of the session's token: signing out unsubscribes the device. */
    session: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: string;
  };
  push_keys: { id: 1; public_key: string; private_key: string };
  sessions: { token_hash: string; user_id: string; created_at: string; last_seen_at: string };
  throttles: { key: string; count: number; resets_at: string };
  /**
   * Replies to requests with an Idempotency-Key. The row is kept forever; db/idempotency.ts decides
   * how long the reply is.
   */
  replies: {
    user_id: string;
    route: string;
    key: string;
    fingerprint: string;
    status: number;
    body: string | null;
    created_at: string;
    /** The id of the created record, or the path of the upload. */
    record: string | null;
  };
  counters: { name: string; value: number };
  uploads: {
    path: string;
    label: string;
    type: string;
    size: number;
    blank: Flag;
    sha256_received: string;
    sha256_stored: string;
    uploaded_by: string;
    created_at: string;
    attached_to: 'report' | 'audit' | 'note' | 'submission' | 'folder' | null;
    attached_id: string | null;
  };
  deletions: {
    id: string;
    thing: string;
    thing_id: string;
    label: string;
    deleted_at: string;
    deleted_by: string;
    deleted_by_name: string;
    /** The park whose users may see it, if it has one. */
    park: string | null;
    /** Why it was deleted, if the user gave a reason. */
    reason: string | null;
    reason_salt: string | null;
  };
  reports: {
    id: string;
    /** Position in the list, and rowid in the search index; see db/position.ts. */
    position: number;
    number: string;
    reportType: 'accident' | 'incident';
    selectedPlace: string;
    name: string;
    age: number | null;
    contactNumber: string;
    reporter: string;
    date: string;
    time: string;
    month: string;
    type: string;
    location: string;
    employmentStatus: string;
    emergencyService: string;
    details: string;
    mediaFiles: string;
    signature: string | null;
    affectedUserSignature: string | null;
    /** JSON: who signed in place of the affected party. */
    affectedUserSignedBy: string | null;
    search_text: string;
    fingerprint: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    /** When it was filled in, according to the device. */
    captured_at: string | null;
    /** When a reviewer other than its author first opened it. */
    first_opened_at: string | null;
    /** The type in a comparable form, ignoring case. */
    type_key: string;
    deletion_id: string | null;
  };
  checklists: {
    id: string;
    title: string;
    version: number;
    created_at: string;
    updated_at: string;
    deletion_id: string | null;
  };
  /** Never changed: each submission refers to the version that was filled in. */
  checklist_versions: {
    checklist_id: string;
    version: number;
    title: string;
    sections: string;
    created_at: string;
    created_by: string;
  };
  submissions: {
    id: string;
    /** Position in the list, and rowid in the search index; see db/position.ts. */
    position: number;
    number: string;
    checklist_id: string;
    checklist_version: number;
    checklist_title: string;
    /** JSON: answers by section, without signatures. */
    data: string;
    search_text: string;
    submitted_at: string;
    submitted_by: string;
    submitted_by_name: string;
    /** The first answer to a `site` section, otherwise the user's park; empty if neither is set. */
    park: string;
    captured_at: string | null;
    deletion_id: string | null;
    /** The number of failing answers. */
    failures: number;
    /** JSON: the note and photos of each failing answer, by section. */
    failure_notes: string | null;
  };
  submission_signatures: { submission_id: string; section: number; data_url: string };
  /** When a checklist is due, as plain fields; expanded by shared/schedules. */
  schedules: {
    id: string;
    checklist_id: string;
    /** JSON: a list of parks. */
    parks: string;
    repeat: 'daily' | 'weekdays' | 'weekly' | 'monthly';
    weekday: number | null;
    month_day: number | null;
    season_from: string | null;
    season_to: string | null;
    opens_at: string;
    closes_at: string;
    starts_on: string;
    ends_on: string | null;
    gate: string;
    version: number;
    /** The last day for which rows of due_checks exist. */
    written_until: string;
    created_at: string;
    created_by: string;
    ended_at: string | null;
  };
  park_closures: {
    id: string;
    park: string;
    starts_on: string;
    ends_on: string;
    created_at: string;
    created_by: string;
  };
  /** Checks, inserted in advance. Never updated or deleted once their window has opened. */
  due_checks: {
    id: string;
    schedule_id: string;
    checklist_id: string;
    park: string;
    day: string;
    opens_at: string;
    closes_at: string;
    gate: string;
    /** The first submission that fulfils the check. */
    submission_id: string | null;
    filled_in_at: string | null;
    received_at: string | null;
    failures: number;
    reason: string | null;
    reason_by_name: string | null;
    reason_at: string | null;
  };
  folders: {
    id: string;
    name: string;
    description: string;
    thumbnail: string | null;
    park: string;
    version: number;
    created_at: string;
    created_by: string;
    deletion_id: string | null;
  };
  audits: {
    id: string;
    folder_id: string;
    title: string;
    date: string | null;
    time: string | null;
    is_urgent: Flag;
    completed: Flag;
    completed_by: string | null;
    completed_at: string | null;
    /** JSON: location, assignee, description, media_files. */
    data: string;
    version: number;
    created_at: string;
    created_by: string;
    captured_at: string | null;
    deletion_id: string | null;
    /** The user whose username is the assignee; null for other names. */
    assignee_id: string | null;
    /** The record that it was created from; shown to users who may open that. */
    source_thing: 'report' | 'submission' | 'audit' | null;
    source_id: string | null;
    source_label: string | null;
    /** The title of the submission's section. */
    source_section: number | null;
    /** Day and time for sorting by due date; audits without a date sort last. */
    due: string;
  };
  /** Never changed. */
  audit_notes: {
    id: string;
    audit_id: string;
    words: string;
    media_files: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
  };
  /**
   * The RIDDOR assessment of a report. `answers` and `result` are JSON; the history is in
   * assessment_versions.
   */
  assessments: {
    id: string;
    report_id: string;
    version: number;
    rule_set: string;
    answers: string;
    result: string;
    particulars: string;
    decision: 'reportable' | 'record' | 'notReportable' | null;
    reason: string | null;
    reason_salt: string | null;
    decided_by: string | null;
    decided_by_name: string | null;
    decided_at: string | null;
    /** Whether it is complete, so that no later day can make it due again. */
    settled: Flag;
    updated_at: string;
    updated_by: string;
    updated_by_name: string;
  };
  /** Every saved version of an assessment. Never changed; deleted only after its assessment. */
  assessment_versions: {
    id: string;
    assessment_id: string;
    version: number;
    assessment: string;
    saved_at: string;
    saved_by: string;
    saved_by_name: string;
    /** The salt of its hash in the activity log; null for versions saved before hashes had a salt. */
    salt: string | null;
  };
  /** Never changed; deleted only after its assessment. */
  riddor_notices: {
    id: string;
    assessment_id: string;
    duties: string;
    how: 'telephone' | 'online' | 'toldThem';
    on: string;
    hse_reference: string | null;
    note: string | null;
    created_at: string;
    created_by: string;
    created_by_name: string;
    salt: string | null;
  };
  holds: {
    id: string;
    thing: 'report' | 'person' | 'park';
    thing_id: string;
    reason: string;
    reason_salt: string;
    review_on: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    lifted_at: string | null;
    lifted_by_name: string | null;
  };
  /** Deleted reports that an Admin released before their legal period ended. */
  releases: {
    deletion_id: string;
    reason: string;
    reason_salt: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
  };
  /** People's requests to see the data stored about them. `spellings` and `choices` are JSON. */
  access_requests: {
    id: string;
    version: number;
    name: string;
    spellings: string;
    number: string;
    username: string;
    received_on: string;
    identity_checked: string;
    extended_because: string | null;
    paused_on: string | null;
    /** The total of ended pauses, in days. */
    paused_days: number;
    closed_on: string | null;
    choices: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    salt: string | null;
  };
  /** Settings of a park; a park without a row has the defaults. */
  park_settings: {
    park: string;
    /** The authority that enforces health and safety there. */
    authority: Authority;
    updated_at: string;
    updated_by: string;
  };
  packs: {
    id: string;
    recipient: string;
    purpose: string;
    without_names: Flag;
    state: PackState;
    /** Completed steps, and all steps. */
    done: number;
    total: number;
    attempts: number;
    /** The instance that builds it, and the end of its claim. */
    claim: string | null;
    claimed_until: string | null;
    problem: string | null;
    bytes: number | null;
    has_file: Flag;
    created_at: string;
    created_by: string;
    created_by_name: string;
    expires_at: string | null;
  };
  /** The records in a pack; for submissions, the park (`checks`). */
  pack_items: { pack_id: string; thing: PackItemThing; thing_id: string };
  /**
   * The list of destroyable records shown to an Admin: `rows` is JSON, the hash of each record by
   * its id.
   */
  retention_lists: { hash: string; made_at: string; is_monthly: Flag; rows: string };
  /** Records destroyed after their retention period. Contains no personal data. */
  destroyed: {
    id: string;
    thing: string;
    class: string;
    until: string;
    files: number;
    /** SHA-256 over the ids and the files' hashes. */
    hash: string;
    destroyed_at: string;
  };
  /** Names erased inside records that stay. Contains no personal data. */
  blanked: {
    id: string;
    thing: string;
    thing_id: string;
    why: string;
    /** The version of the record whose texts were marked; null if its texts never change. */
    version: number | null;
    /** JSON: where the names were, by field. */
    marks: string;
    blanked_at: string;
  };
  /** The number of destroyed records of each kind. */
  record_statistics: {
    kind: string;
    park: string;
    month: string;
    status: string;
    age_band: string;
    /** JSON: ids of the rules that applied. */
    rules: string;
    outcome: string;
    count: number;
  };
  activity: {
    seq: number;
    at: string;
    actor_id: string | null;
    actor: string;
    ip: string;
    action: string;
    thing: string;
    thing_id: string | null;
    label: string;
    changes: string | null;
    search_text: string;
    request_id: string;
    previous_hash: string;
    hash: string;
  };
  activity_head: { id: 1; seq: number; hash: string };
};

export type Database = Kysely<Tables>;
