// RIDDOR, holds, retention and access requests.
import type { Authority } from '#shared/law/authority.ts';
import type { Flag } from './flag.ts';

export type LawTables = {
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
    /** Whether the assessment is complete, so that no deadline of it can become due. */
    settled: Flag;
    /** Whether the decision rests on an answer that a corrected rule set doubts, and was not checked since. */
    to_review: Flag;
    updated_at: string;
    updated_by: string;
    updated_by_name: string;
  };
  /**
   * Every saved version of an assessment. Rows never change, and are deleted only after their
   * assessment; erasing a name replaces them together.
   */
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
  /** Notices to HSE. Rows never change, and are deleted only after their assessment. */
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
  /**
   * Operators' own rule sets, which earlier versions read from files, and which assessments still
   * use. `rules` is JSON.
   */
  rule_sets: { id: string; rules: string };
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
    /** The total length of ended pauses, in days. */
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
    /** The authority that enforces health and safety there; null for the default. */
    authority: Authority | null;
    /** The account that does the audits of failing answers, unless a question says otherwise. */
    assignee_id: string | null;
    /** The account that does the audits of hazards. */
    hazard_assignee_id: string | null;
    /** Whom to ring about urgent hazards. */
    telephone: string | null;
    /** Whom guests ring in an emergency, and about a smell of gas. */
    guest_telephone: string | null;
    gas_telephone: string | null;
    /** 1: no label of the park leads to a form. */
    guests_off: Flag | null;
    updated_at: string;
    updated_by: string;
  };
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
  /** The erasures of names inside records that are kept. Contains no personal data. */
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
};
