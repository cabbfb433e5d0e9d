// Who may read an uploaded file: the record it belongs to decides.
import { isAllowed } from '#shared/access.ts';
import { canSeeNote } from './audits/notes.ts';
import { canSeeAudit, canSeeFolder } from './audits/scope.ts';
import type { SignedInUser } from './auth/session.ts';
import { findSubmission } from './checklists/submissions.ts';
import type { Database } from './db/schema.ts';
import { lessonExists } from './investigations/lessons.ts';
import { findSection } from './investigations/store.ts';
import { findMessage } from './messages/store.ts';
import { findReport } from './reports/store.ts';
import type { UploadRow } from './uploads/store.ts';

/**
 * Whether a user may read an upload. Unattached uploads: the uploader. Those of a report, submission,
 * investigation or lesson: reviewers. Those of a guest's message: reviewers who see its park. Those of
 * an audit, its notes or its folder: users who see the folder's park. Those of a deleted record: nobody.
 */
export async function canReadUpload(db: Database, upload: UploadRow, user: SignedInUser): Promise<boolean> {
  const { attached_to, attached_id } = upload;
  if (attached_to === null || attached_id === null) return upload.uploaded_by === user.id;
  if (attached_to === 'folder') return canSeeFolder(db, user, attached_id);
  if (attached_to === 'note') return canSeeNote(db, user, attached_id);
  if (attached_to === 'audit') return canSeeAudit(db, user, attached_id);
  if (!isAllowed('reviewer', user)) return false;
  if (attached_to === 'lesson') return lessonExists(db, attached_id);
  if (attached_to === 'report') return (await findReport(db, attached_id)) !== undefined;
  if (attached_to === 'submission') return (await findSubmission(db, attached_id)) !== undefined;
  if (attached_to === 'investigation') return (await findSection(db, attached_id)) !== undefined;
  return (await findMessage(db, user, attached_id)) !== undefined;
}
