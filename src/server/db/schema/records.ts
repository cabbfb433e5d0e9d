// Reports, checklists, submissions, audits and their files.
import type { Generated } from 'kysely';
import type { AuditSource, VerificationOutcome } from '#shared/audits.ts';
import type { NotesRule } from '#shared/checklists.ts';
import type { CoveredThing, InvestigationNoteKind, SectionName } from '#shared/investigations.ts';
import type { LessonAnswer, LessonTextName } from '#shared/lessons.ts';
import type { HazardKind } from '#shared/places/hazards.ts';
import type { Hurt, Language } from '#shared/places/messages.ts';
import type { KindWith } from '#shared/record-kinds.ts';
import type { ReportFieldName } from '#shared/reports/report-fields.ts';
import type { Report, ReportType } from '#shared/reports/reports.ts';
import type { Flag } from './flag.ts';

export type RecordTables = {
  reports: Pick<Report, ReportFieldName> & {
    id: string;
    /** Position in the list, and rowid in the search index; see db/position.ts. */
    position: number;
    number: string;
    reportType: 'accident' | 'incident';
    month: string;
    mediaFiles: string;
    signature: string | null;
    affectedUserSignature: string | null;
    /** JSON: the name, capacity and reason of the person who signed for the affected party. */
    affectedUserSignedBy: string | null;
    search_text: string;
    fingerprint: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    /** When the report was filled in, according to the device. */
    captured_at: string | null;
    /** When a reviewer other than its author first opened it. */
    first_opened_at: string | null;
    /** The type in a form for comparison that ignores case. */
    type_key: string;
    deletion_id: string | null;
  };
  /** The number of reports that are not deleted, by type and month. Triggers update it. */
  report_months: { reportType: ReportType; month: string; count: number };
  checklists: {
    id: string;
    title: string;
    version: number;
    created_at: string;
    updated_at: string;
    deletion_id: string | null;
  };
  /**
   * All versions of checklists. Rows never change: each submission refers to the version that was
   * filled in.
   */
  checklist_versions: {
    checklist_id: string;
    version: number;
    title: string;
    sections: string;
    created_at: string;
    created_by: string;
    /** Which answers take notes. */
    notes: Generated<NotesRule>;
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
    /** When it was filled in by the device's clock; the server's time if that is unknown or ahead. */
    filled_in_at: string;
    /** The place that was sent: an id, which may be unknown; empty for the park as a whole; null if none was sent. */
    place_sent: string | null;
    deletion_id: string | null;
    /** Whether no answer is failing, and each question that can fail is answered. */
    passed: Flag;
    /** The number of failing answers. */
    failures: number;
    /** JSON: the note and photos of each failing answer, by section. */
    failure_notes: string | null;
    /** JSON: the notes and photos of other answers, by section. */
    notes: string | null;
  };
  submission_signatures: { submission_id: string; section: number; data_url: string };
  /** The users whom answers name. */
  submission_people: { submission_id: string; section: number; user_id: string };
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
    /** The number of the audit in the order of creation, and rowid in the search index. */
    position: number;
    search_text: string;
    version: number;
    created_at: string;
    created_by: string;
    captured_at: string | null;
    deletion_id: string | null;
    /** The user whose username is the assignee; null for other names. */
    assignee_id: string | null;
    /** The record that it was created from; shown to users who may open that. */
    source_thing: AuditSource | null;
    source_id: string | null;
    source_label: string | null;
    /** The audit of which it is the follow-up, because that was found not to work or to need work. */
    follow_up_of: string | null;
    /** The index of the submission's section with the failing answer. */
    source_section: number | null;
    /** Day and time for sorting by due date; audits without a date sort last. */
    due: string;
    /** The user who completed it; null for audits of earlier releases. */
    completed_by_id: string | null;
    /** JSON: the ids of the users of the shared device that sent the completion; null if none did. */
    completed_beside: string | null;
    /** Within how many days of its completion someone else must verify it; null for never. */
    verify_days: number | null;
    /** Who should verify it; null for anyone who may. */
    verifier_id: string | null;
    /** The day by which it must be verified, from its completion until it is; then it is also the due day. */
    verify_by: string | null;
    verified: VerificationOutcome | null;
    /** The investigation of which it is an action, also if it follows from another action. */
    investigation_id: string | null;
  };
  investigations: {
    id: string;
    number: string;
    /** The park of the record from which it was started. */
    park: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    deletion_id: string | null;
  };
  /** The reports and audits that investigations cover. */
  investigation_records: { investigation_id: string; thing: CoveredThing; thing_id: string };
  investigation_sections: {
    id: string;
    investigation_id: string;
    section: SectionName;
    version: number;
    /** JSON. */
    content: string;
    saved_at: string | null;
    saved_by: string | null;
    saved_by_name: string;
  };
  /** A row changes only when a name in it is erased. */
  investigation_notes: {
    id: string;
    investigation_id: string;
    kind: InvestigationNoteKind;
    /** The audit of a waived action, or the cause that needs no action. */
    about: string;
    words: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
  };
  places: {
    id: string;
    park: string;
    name: string;
    /** The name for comparison that ignores case and accents; unique among the places of a park that are not joined. */
    name_key: string;
    retired_at: string | null;
    /** The code on its label; null without one. */
    label: string | null;
    /** The place into which it was joined, which is not joined itself. Lists leave out joined places, reads follow them. */
    joined_into: string | null;
  };
  /** The places of records: one for each record at most. */
  place_links: {
    thing_id: string;
    thing: 'report' | 'audit' | 'submission';
    place_id: string;
    linked_by: string;
    linked_at: string;
    /** Whether a reviewer linked it later; otherwise it was chosen in the form. */
    is_later: Flag;
  };
  /** Notes on audits. A row changes only when a name in it is erased. */
  audit_notes: {
    id: string;
    audit_id: string;
    words: string;
    media_files: string;
    created_at: string;
    created_by: string;
    created_by_name: string;
    /** If the note is the verification of the audit. */
    outcome: VerificationOutcome | null;
    /** If the note is the answer to the lesson of the audit. */
    answer: LessonAnswer | null;
  };
  /** What happened at one park, for others to look at. Each answers with an audit, whose source it is. */
  lessons: Record<LessonTextName, string> & {
    id: string;
    title: string;
    /** JSON: its photo, if it has one. */
    media_files: string;
    answer_by: string;
    investigation_id: string | null;
    created_at: string;
    created_by: string;
    created_by_name: string;
  };
  uploads: {
    path: string;
    label: string;
    type: string;
    size: number;
    blank: Flag;
    /** Whether the end of the uploaded file was missing. */
    cut_off: Flag;
    sha256_received: string;
    sha256_stored: string;
    uploaded_by: string;
    created_at: string;
    attached_to: KindWith<'hasUploads'> | 'note' | null;
    attached_id: string | null;
  };
  /** Messages that guests send with the form behind the label of a place. */
  guest_messages: {
    id: string;
    /** The form's id: a form that is sent twice makes one message. */
    form_id: string;
    /** With the receipt, a guest reads what became of the message. */
    receipt_hash: string;
    place_id: string;
    park: string;
    kind: HazardKind | null;
    words: string;
    /** JSON. */
    media_files: string;
    /** Whether a reviewer removed its photo; a form that is sent again does not bring it back. */
    photo_removed: Flag;
    hurt: Hurt | null;
    name: string;
    /** A telephone number or an email address. */
    contact: string;
    language: Language;
    created_at: string;
    /** When a reviewer first opened it. */
    read_at: string | null;
    read_by: string | null;
    read_by_name: string | null;
    closed_at: string | null;
    closed_by: string | null;
    closed_by_name: string | null;
    /** Why it was closed; for reviewers. */
    reason: string;
    /** The sentence that its sender reads on the receipt. */
    answer: string;
    /** What was created from it. Without its audit it is open again; see messages/store.ts. */
    audit_id: string | null;
    report_id: string | null;
    /** 0: someone was hurt; 1: an urgent kind; 2: other. Lists start with 0. */
    priority: number;
    /** Which message of its group it is: 1 is the first. */
    rank: number;
    /** The messages of one label, network and hour have the same group, which says nothing about the network. */
    group_id: string;
    /** Whether it is a row of the list of open messages: on its own, or for its group. See messages/list.ts. */
    is_listed: Flag;
    /** How often it was sent: an equal text counts here. */
    sent_count: number;
    /** The hash of the last form with an equal text, so that two taps count once. */
    last_form_hash: string | null;
    /** How much it counts towards the bounds of guests. */
    bytes: number;
    /** When the reviewers were notified of it; null until then. */
    told_at: string | null;
    /** Whether it was closed as junk, which is deleted after 30 days. */
    is_junk: Flag;
  };
  /** Counts what guests send, for at most 24 hours: see messages/counters.ts. Empty in backups. */
  guest_counters: { key: string; amount: number; ref: string | null; ends_at: string };
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
};
