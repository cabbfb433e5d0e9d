// The activity log, replies to repeated requests, and counters.

export type LogTables = {
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
  /**
   * Replies to requests with an Idempotency-Key. Rows are kept forever; db/idempotency.ts decides
   * how long the text of the reply is kept.
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
};
