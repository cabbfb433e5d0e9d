// THE table of calls. Each path is written once, here; the server serves it, the screens and the tests call it.
import * as z from 'zod/mini';
import { Activity, ActivityQuery, Deletion, HistoryQuery } from './activity.ts';
import { Audit, AuditChange, Folder, FolderChange, ListedAudit, NewAudit, NewAuditReply, NewFolder } from './audits.ts';
import {
  Checklist,
  ChecklistChange,
  checklistLimits,
  NewChecklist,
  NewSubmission,
  NewSubmissionReply,
  Submission,
  SubmissionQuery,
} from './checklists.ts';
import { limits } from './choices.ts';
import { row } from './contract.ts';
import { Created, Done } from './replies.ts';
import { MyReport, NewReport, NewReportReply, Report, ReportMonth, ReportMonthQuery, ReportQuery } from './reports.ts';
import { Upload, UploadQuery } from './uploads.ts';
import {
  Assignment,
  Credentials,
  MadeUser,
  NewUser,
  PasswordChange,
  PasswordReset,
  PeopleFile,
  Role,
  SessionUser,
  User,
  UsernameQuestion,
} from './users.ts';

export const api = {
  // Signing in
  getSession: row('GET /api/protected', {
    reply: z.object({ user: SessionUser, expiresAt: z.string() }),
    evenBeforeOwnPassword: true,
    summary: 'Who is signed in, and until when',
  }),
  login: row('POST /api/login', {
    who: 'anyone',
    body: Credentials,
    reply: z.object({ success: z.literal(true), role: Role }),
    summary: 'Sign in',
  }),
  logout: row('POST /api/logout', { who: 'anyone', reply: Done, summary: 'Sign out' }),
  changePassword: row('POST /api/change-password', {
    body: PasswordChange,
    reply: Done,
    evenBeforeOwnPassword: true,
    perMinute: 10,
    summary: "Change one's own password; ends one's other sessions",
  }),
  getUsername: row('GET /api/user/{id}', {
    reply: z.object({ username: z.string() }),
    perMinute: 60,
    badId: { status: 400, message: 'Invalid user ID' },
    summary: "A person's name, deleted ones too",
  }),

  // Uploads
  uploadImage: row('POST /api/upload/image', {
    query: UploadQuery,
    body: {
      file: 'image',
      required: true,
      limit: limits.photoBytes,
      tooLarge: 'Image is too large (max 10 MB)',
      fields: z.object({}),
    },
    reply: Upload,
    idempotent: true,
    perMinute: 60,
    summary: 'Upload a photo or a signature',
  }),

  // Reports
  submitAccident: row('POST /api/submit-accident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: true,
    perMinute: 30,
    summary: 'File an accident report',
  }),
  submitIncident: row('POST /api/submit-incident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: true,
    perMinute: 30,
    summary: 'File an incident report',
  }),
  listMyReports: row('GET /api/my-reports', {
    reply: z.array(MyReport),
    summary: 'The reports one has submitted oneself, newest first: that they arrived, and nothing of what they say',
  }),
  listReports: row('GET /api/get-reports', {
    who: 'reviewer',
    query: ReportQuery,
    reply: z.array(Report),
    summary: 'The reports, newest first: all of them, or those a search, a month or a cursor picks',
  }),
  listReportMonths: row('GET /api/report-months', {
    who: 'reviewer',
    query: ReportMonthQuery,
    reply: z.array(ReportMonth),
    summary: 'How many reports each month has',
  }),
  getReport: row('GET /api/reports/{id}', { who: 'reviewer', reply: Report, summary: 'One report' }),
  deleteReport: row('DELETE /api/delete-report/{id}', { who: 'reviewer', reply: Done, summary: 'Delete a report' }),
  getReportPdf: row('GET /api/report-pdf/{id}', {
    who: 'reviewer',
    reply: 'pdf',
    perMinute: 20,
    summary: 'A report as PDF',
  }),

  // Checklists
  listChecklists: row('GET /api/checklists', { reply: z.array(Checklist), summary: 'The checklists' }),
  submitChecklist: row('POST /api/submit-checklist', {
    body: NewSubmission,
    json: { bytes: checklistLimits.bodyBytes },
    reply: NewSubmissionReply,
    status: 201,
    idempotent: true,
    perMinute: 30,
    summary: 'Submit a filled-in checklist',
  }),
  createChecklist: row('POST /api/admin/create-checklist', {
    who: 'reviewer',
    body: NewChecklist,
    json: { bytes: 256 * 1024, entries: 2000 },
    reply: Created,
    status: 201,
    idempotent: true,
    summary: 'Create a checklist',
  }),
  updateChecklist: row('PUT /api/admin/update-checklist/{id}', {
    who: 'reviewer',
    body: ChecklistChange,
    json: { bytes: 256 * 1024, entries: 2000 },
    reply: z.extend(Done, { version: z.number() }),
    summary: 'Change a checklist: a new version',
  }),
  deleteChecklist: row('DELETE /api/admin/checklists/{id}', {
    who: 'reviewer',
    reply: Done,
    summary: 'Delete a checklist',
  }),
  listSubmissions: row('GET /api/admin/submitted-checklists', {
    who: 'reviewer',
    query: SubmissionQuery,
    reply: z.array(Submission),
    summary: 'The submitted checklists, newest first',
  }),
  listSubmissionTitles: row('GET /api/admin/submission-titles', {
    who: 'reviewer',
    reply: z.array(z.string()),
    summary: 'The titles that submitted checklists have, in order',
  }),
  getSubmission: row('GET /api/admin/submitted-checklists/{id}', {
    who: 'reviewer',
    reply: Submission,
    summary: 'One submitted checklist',
  }),
  deleteSubmission: row('DELETE /api/admin/submitted-checklists/{id}', {
    who: 'reviewer',
    reply: Done,
    summary: 'Delete a submitted checklist',
  }),
  getSubmissionPdf: row('GET /api/submission-pdf/{id}', {
    who: 'reviewer',
    reply: 'pdf',
    perMinute: 20,
    summary: 'A submitted checklist as PDF',
  }),

  // Audits
  listFolders: row('GET /api/audit-folders', {
    reply: z.array(Folder),
    summary: 'The audit folders of the parks one sees',
  }),
  createFolder: row('POST /api/audit-folders', {
    body: {
      file: 'thumbnail',
      required: false,
      limit: limits.thumbnailBytes,
      tooLarge: 'Image is too large (max 5 MB)',
      fields: NewFolder,
    },
    reply: Created,
    status: 201,
    idempotent: true,
    summary: 'Create an audit folder',
  }),
  getFolder: row('GET /api/audit-folders/{id}', { reply: Folder, summary: 'One audit folder' }),
  updateFolder: row('PUT /api/audit-folders/{id}', {
    body: FolderChange,
    json: { bytes: 16 * 1024 },
    reply: Done,
    summary: 'Change an audit folder',
  }),
  deleteFolder: row('DELETE /api/audit-folders/{id}', {
    reply: Done,
    summary: 'Delete an audit folder and its audits',
  }),
  listAssignees: row('GET /api/audit-folders/{id}/people', {
    reply: z.array(z.string()),
    summary: 'The usernames of those who see a folder, to suggest as assignees',
  }),
  listAudits: row('GET /api/audits/folder/{folderId}', { reply: z.array(ListedAudit), summary: "A folder's audits" }),
  createAudit: row('POST /api/audits', {
    body: NewAudit,
    json: { bytes: 128 * 1024 },
    reply: NewAuditReply,
    status: 201,
    idempotent: true,
    summary: 'Create an audit',
  }),
  getAudit: row('GET /api/audits/{id}', { reply: Audit, summary: 'One audit' }),
  updateAudit: row('PUT /api/audits/{id}', {
    body: AuditChange,
    json: { bytes: 128 * 1024 },
    reply: Audit,
    summary: 'Change or complete an audit',
  }),
  deleteAudit: row('DELETE /api/audits/{id}', { reply: Done, summary: 'Delete an audit' }),
  getAuditPdf: row('GET /api/audit-pdf/{id}', { reply: 'pdf', perMinute: 20, summary: 'An audit as PDF' }),

  // People
  listUsers: row('GET /api/admin/users', { who: 'reviewer', reply: z.array(User), summary: 'The users' }),
  listRoles: row('GET /api/admin/roles', {
    who: 'reviewer',
    reply: z.array(Role),
    summary: 'The roles one may assign',
  }),
  userExists: row('POST /api/admin/user-exists', {
    who: 'reviewer',
    body: UsernameQuestion,
    reply: z.object({ exists: z.boolean() }),
    perMinute: 30,
    summary: 'Whether a username is taken',
  }),
  createUser: row('POST /api/admin/create-user', {
    who: 'reviewer',
    body: NewUser,
    reply: Created,
    status: 201,
    idempotent: true,
    perMinute: 30,
    summary: 'Create a user',
  }),
  deleteUser: row('DELETE /api/admin/users/{id}', {
    who: 'reviewer',
    reply: Done,
    badId: { status: 400, message: 'Invalid user ID' },
    summary: 'Delete a user and end their sessions',
  }),
  assignRole: row('POST /api/admin/assign-role', {
    who: 'reviewer',
    body: Assignment,
    reply: Done,
    summary: "Change a user's role and park",
  }),
  resetPassword: row('POST /api/admin/reset-password', {
    who: 'reviewer',
    body: PasswordReset,
    reply: z.object({ success: z.literal(true), password: z.string() }),
    perMinute: 10,
    summary: 'Give a user a one-time password',
  }),
  importUsers: row('POST /api/admin/import-users', {
    who: 'reviewer',
    body: PeopleFile,
    json: { bytes: 256 * 1024 },
    reply: z.object({ success: z.literal(true), users: z.array(MadeUser) }),
    status: 201,
    perMinute: 5,
    summary: 'Create many users from a CSV file, each with a one-time password',
  }),

  // What happened
  listActivity: row('GET /api/admin/activity', {
    who: 'admin',
    query: ActivityQuery,
    reply: z.array(Activity),
    summary: 'Who did what, newest first',
  }),
  getReportHistory: row('GET /api/reports/{id}/history', {
    who: 'reviewer',
    query: HistoryQuery,
    reply: z.array(Activity),
    summary: 'Who did what with a report, newest first',
  }),
  listDeleted: row('GET /api/admin/deleted', {
    who: 'admin',
    reply: z.array(Deletion),
    summary: 'What was deleted and can be restored',
  }),
  restoreDeleted: row('POST /api/admin/deleted/{id}/restore', {
    who: 'admin',
    reply: Done,
    summary: 'Restore what was deleted',
  }),
};

export type Api = typeof api;
export type CallName = keyof Api;
