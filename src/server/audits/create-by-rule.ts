// Audits of which the product chooses folder and assignee: of failing answers, hazards and lessons.
import { textLimits } from '#shared/choices.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { MediaFile } from '#shared/uploads.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { findPerson } from '../names/user-names.ts';
import { notify } from '../notifications/notify.ts';
import { type AssigneeSetting, findParkAssignee } from '../parks/settings.ts';
import { attachUploads, toMediaFile } from '../uploads/store.ts';
import { insertFolder } from './folders.ts';
import { notifyOfAudit } from './notices.ts';
import { type RuleFolder, ruleFolders } from './rule-folders.ts';
import { insertAudit } from './store.ts';

type GivenFields = 'location' | 'description' | 'is_urgent' | 'date' | 'captured_at' | 'now';

type AuditByRule = Pick<Parameters<typeof insertAudit>[1], GivenFields> & {
  title: string;
  park: string;
  /** Its folder in the park, which is created if it is missing. */
  folder: RuleFolder;
  /** The username of the assignee; by default the user whom the park's `setting` names. */
  chosenAssignee?: string | undefined;
  setting: AssigneeSetting;
  media: Pick<MediaFile, 'path' | 'name'>[];
  /** The source; without an id it is the audit itself. */
  source: { thing: keyof typeof unassignedKinds; id?: string; label: string; section?: number };
  by: { id: string };
};

/** The kind of notification for reviewers if the assignee may not see the park, by the audit's source. */
const unassignedKinds = { submission: 'failingAnswers', hazard: 'hazardReported', lesson: 'lessonUnassigned' } as const;

/** Creates the audit in the caller's transaction; returns its id. */
export async function createAuditByRule(
  db: Database,
  logActivity: LogActivity,
  { park, folder, chosenAssignee, setting, media, source, by, ...fields }: AuditByRule,
): Promise<string> {
  const { now } = fields;
  const folder_id = await findOrCreateFolder(db, folder, { park, by, now });
  const id = newId();
  const uploads = await attachUploads(db, media, by.id, { attached_to: 'audit', attached_id: id });
  const parkAssignee = chosenAssignee ? undefined : await findParkAssignee(db, park, setting);
  const username = chosenAssignee || (parkAssignee?.username ?? '');
  const person = await findPerson(db, username, park);
  // Someone else may have the username of a deleted user.
  const assignee = parkAssignee && parkAssignee.id !== person?.id ? undefined : person;
  const audit = {
    ...fields,
    id,
    folder_id,
    title: [...fields.title].slice(0, textLimits.line).join(''),
    // Users who may not see the park are not assigned to audits there.
    assignee: assignee?.username ?? '',
    assignee_id: assignee?.id,
    time: null,
    completed: false,
    completed_by: null,
    completed_at: null,
    media_files: uploads.map((upload, at) => toMediaFile(upload, media[at]?.name ?? '')),
    source: { id, ...source },
  };
  await insertAudit(db, { ...audit, by });
  logActivity({ action: 'created', thing: 'audit', thing_id: id, label: audit.title });
  // Users are notified of audits assigned to them that they cause, because they did not choose the assignee.
  await notifyOfAudit(db, now, { after: { ...audit, folder: { park } }, by: { id: '' } });
  const notice = { to: { reviewersOf: park }, thing: 'audit', thing_id: id, park, link: recordUrls.audit(id) };
  if (username && !assignee)
    await notify(db, now, {
      ...notice,
      kind: unassignedKinds[source.thing],
      text: `Audit at ${park} has no assignee, because ${username} may not see that park: ${audit.title}`,
      line: `Audit at ${park} has no assignee`,
    });
  // Reviewers are notified of urgent audits anyway.
  else if (source.thing === 'hazard' && !assignee && !audit.is_urgent)
    await notify(db, now, {
      ...notice,
      kind: 'hazardReported',
      text: `Hazard at ${park} has no assignee: ${audit.title}`,
      line: `Hazard at ${park} has no assignee`,
    });
  return id;
}

type FolderContext = { park: string; by: { id: string }; now: Date };

/** Returns the id of the park's folder of this name. Creates the folder if it is missing. */
export async function findOrCreateFolder(
  db: Database,
  ruleFolder: RuleFolder,
  { park, by, now }: FolderContext,
): Promise<string> {
  const { name, description } = ruleFolders[ruleFolder];
  const folder = await db
    .selectFrom('folders')
    .select('id')
    .where('park', '=', park)
    .where('name', '=', name)
    .where('deletion_id', 'is', null)
    .orderBy('created_at')
    .executeTakeFirst();
  if (folder) return folder.id;
  const id = newId();
  const fields = { name, description, park, thumbnail: null };
  await insertFolder(db, { ...fields, id, by, now });
  return id;
}
