// Who may read an uploaded file: the record it belongs to decides.
import { isAllowed } from '#shared/access.ts';
import { canSeeNote } from './audits/notes.ts';
import { canSeeAudit, canSeeFolder } from './audits/scope.ts';
import { findSubmission } from './checklists/submissions.ts';
import type { Database } from './db/schema.ts';
import { lessonExists } from './investigations/lessons.ts';
import { findSection } from './investigations/store.ts';
import { findMessage } from './messages/store.ts';
import { findReport } from './reports/store.ts';
import type { SignedInUser } from './sign-in/session/session.ts';
import type { UploadOwner, UploadRow } from './uploads/store.ts';

type Reader = (db: Database, user: SignedInUser, id: string) => Promise<boolean>;

/** A reader of what only reviewers see. */
const forReviewers =
  (find: Reader): Reader =>
  async (db, user, id) =>
    isAllowed('reviewer', user) && find(db, user, id);

/** By what an upload is attached to: whether the user may read it. Those of a deleted record: nobody. */
const readers: Record<UploadOwner['attached_to'], Reader> = {
  folder: canSeeFolder,
  note: canSeeNote,
  audit: canSeeAudit,
  lesson: forReviewers((db, _, id) => lessonExists(db, id)),
  report: forReviewers(async (db, _, id) => (await findReport(db, id)) !== undefined),
  submission: forReviewers(async (db, _, id) => (await findSubmission(db, id)) !== undefined),
  investigation: forReviewers(async (db, _, id) => (await findSection(db, id)) !== undefined),
  message: forReviewers(async (db, user, id) => (await findMessage(db, user, id)) !== undefined),
};

/** Whether a user may read an upload: its uploader until it is attached, then who may read the record. */
export async function canReadUpload(db: Database, upload: UploadRow, user: SignedInUser): Promise<boolean> {
  const { attached_to, attached_id } = upload;
  if (attached_to === null || attached_id === null) return upload.uploaded_by === user.id;
  return readers[attached_to](db, user, attached_id);
}
