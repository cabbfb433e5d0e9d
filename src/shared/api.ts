// The contract: every endpoint with its path, used by the server, the screens and the tests.
import * as z from 'zod/mini';
import { Activity, ActivityQuery, Deletion, HistoryQuery } from './activity.ts';
import {
  Audit,
  AuditChange,
  AuditNote,
  AuditsChange,
  AuditsChangeReply,
  Folder,
  FolderChange,
  LinkedAudit,
  ListedAudit,
  NewAudit,
  NewAuditNote,
  NewAuditReply,
  NewFolder,
  NewVerification,
  OpenAudit,
  OpenAuditCounts,
  OpenAuditQuery,
  VerificationReply,
} from './audits.ts';
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
import { type ClientApi, endpoint } from './contract.ts';
import {
  ActivityExportQuery,
  AuditExportQuery,
  CheckExportQuery,
  ExportQuery,
  PlaceExportQuery,
  ReportExportQuery,
  SubmissionExportQuery,
} from './exports.ts';
import { ParkNumber } from './hazards.ts';
import {
  Investigation,
  InvestigationReport,
  ListedInvestigation,
  NewInvestigation,
  NewInvestigationNote,
  SectionChange,
} from './investigations.ts';
import {
  Assessment,
  AssessmentChange,
  AssessmentDecision,
  DutyCounts,
  Hold,
  HoldReview,
  NewHold,
  NewNotice,
  OpenDutiesQuery,
  PdfQuery,
  Release,
  ReportRiddorState,
} from './law/assessment.ts';
import {
  Delivery,
  DeliveryHealth,
  Notification,
  NotificationQuery,
  NotificationSettings,
  NotificationSettingsChange,
  notificationChannels,
  PushRemoval,
  PushSubscription,
} from './notifications.ts';
import { AuditOnDay, AuditsOnDayQuery, Overview, OverviewQuery } from './overview.ts';
import { NewPack, Pack } from './packs.ts';
import { ParkSettings, ParkSettingsChange } from './park-settings.ts';
import {
  AccessChoices,
  AccessRequest,
  AccessRequestHits,
  AccessRequestWithChoices,
  maxChoices,
  NewAccessRequest,
} from './people/access-requests.ts';
import { RetentionList, RetentionOutcome, RetentionRun } from './people/keeping.ts';
import { EraseNames, ErasureOutcome } from './people/name-erasure.ts';
import {
  LocationLink,
  Locations,
  LocationUnlink,
  NewPlaces,
  ParkQuery,
  Place,
  PlaceChange,
  PlaceOfRecord,
} from './places.ts';
import { CreatedReply, SuccessReply } from './replies.ts';
import {
  DeletionReason,
  LastReporter,
  MyReport,
  NewReport,
  NewReportReply,
  Report,
  ReportMonth,
  ReportMonthQuery,
  ReportQuery,
} from './reports.ts';
import {
  Check,
  CheckCount,
  CheckQuery,
  Closure,
  DueQuery,
  MissedReason,
  NewClosure,
  NewSchedule,
  Readiness,
  Schedule,
  ScheduleChange,
} from './schedules/schedules.ts';
import { AppKey, Confirmation, OwnSecondFactors, RecoveryCodes, TypedCode } from './second-factors.ts';
import { Upload, UploadQuery } from './uploads.ts';
import {
  CreatedUser,
  Credentials,
  EmailChange,
  EmailConfirmation,
  NewUser,
  PasswordChange,
  PasswordReset,
  PersonName,
  Role,
  RoleAssignment,
  Session,
  SessionEnd,
  SessionUser,
  User,
  UserDetails,
  UserImport,
  UsernameQuery,
} from './users.ts';

/**
 * Every endpoint with its schemas. The build for browsers contains only `api`, without schemas: see
 * build/api-contract.ts.
 */
export const contract = {
  // Signing in
  getSession: endpoint('GET /api/protected', {
    reply: z.object({ user: SessionUser, expiresAt: z.string(), canExtend: z.boolean() }),
    allowedBeforePasswordChange: true,
    summary: 'The signed-in user, when the session ends, and whether using it can move that end',
  }),
  login: endpoint('POST /api/login', {
    access: 'anyone',
    body: Credentials,
    reply: z.object({ success: z.literal(true), role: Role }),
    summary: 'Sign in. With a second factor the reply is 401 with the code SECOND_FACTOR and `methods`',
  }),
  enterCode: endpoint('POST /api/login/code', {
    access: 'anyone',
    body: TypedCode,
    reply: z.object({ success: z.literal(true), role: Role }),
    perMinute: 20,
    summary: 'Complete a sign-in whose password was right: with a code from an app, or a recovery code',
  }),
  logout: endpoint('POST /api/logout', { access: 'anyone', reply: SuccessReply, summary: 'Sign out' }),
  changePassword: endpoint('POST /api/change-password', {
    body: PasswordChange,
    reply: SuccessReply,
    allowedBeforePasswordChange: true,
    perMinute: 10,
    summary: "Change the user's own password; ends their other sessions",
  }),
  confirmIdentity: endpoint('POST /api/confirm-identity', {
    allowedBeforePasswordChange: true,
    body: Confirmation,
    reply: SuccessReply,
    perMinute: 10,
    summary: 'Enter the password again, and a code if the user has a second factor; counts for ten minutes',
  }),
  getSecondFactors: endpoint('GET /api/second-factors', {
    allowedBeforePasswordChange: true,
    reply: OwnSecondFactors,
    summary: "The user's own second factors",
  }),
  startAppSetUp: endpoint('POST /api/second-factors/app', {
    reply: AppKey,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'A new key for an app that shows codes; counts once its codes and the recovery codes were checked',
  }),
  checkAppSetUp: endpoint('POST /api/second-factors/app/check', {
    body: TypedCode,
    reply: RecoveryCodes,
    perMinute: 10,
    summary: 'Check a code of the new key; returns ten recovery codes, once',
  }),
  removeApp: endpoint('DELETE /api/second-factors/app', {
    reply: SuccessReply,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'Remove codes from an app, and the recovery codes',
  }),
  createRecoveryCodes: endpoint('POST /api/recovery-codes', {
    reply: RecoveryCodes,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'Ten new recovery codes, returned once; they replace the earlier ones when one was typed back',
  }),
  confirmRecoveryCodes: endpoint('POST /api/recovery-codes/confirm', {
    body: TypedCode,
    reply: SuccessReply,
    perMinute: 10,
    summary: 'Type one of the new recovery codes back, which completes the set-up',
  }),
  listSessions: endpoint('GET /api/sessions', {
    reply: z.array(Session),
    summary: "The user's own sessions: this one, then the last used first",
  }),
  endSessions: endpoint('POST /api/end-sessions', {
    body: SessionEnd,
    reply: SuccessReply,
    perMinute: 10,
    summary: "End one of the user's other sessions, or all of them, with the user's password",
  }),
  getUsername: endpoint('GET /api/user/{id}', {
    reply: z.object({ username: z.string() }),
    perMinute: 60,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: "A user's name, also of deleted users",
  }),

  listNames: endpoint('GET /api/names', {
    reply: z.array(PersonName),
    summary: 'The users one may assign audits to, with the full names to show instead of their usernames',
  }),
  requestEmailChange: endpoint('POST /api/email-change', {
    body: EmailChange,
    reply: z.object({ success: z.literal(true), isLinkSent: z.boolean() }),
    perMinute: 5,
    summary: "Change the user's own email address: a link is sent to the new one",
  }),
  confirmEmailChange: endpoint('POST /api/email-change/confirm', {
    access: 'anyone',
    body: EmailConfirmation,
    reply: SuccessReply,
    perMinute: 20,
    summary: 'Confirm the new email address with the token of the link sent to it',
  }),

  // Uploads
  uploadImage: endpoint('POST /api/upload/image', {
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
    forFormerUser: true,
    perMinute: 60,
    summary: 'Upload a photo or a signature',
  }),

  // Reports
  submitAccident: endpoint('POST /api/submit-accident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: true,
    forFormerUser: true,
    perMinute: 30,
    summary: 'Submit an accident report',
  }),
  submitIncident: endpoint('POST /api/submit-incident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: true,
    forFormerUser: true,
    perMinute: 30,
    summary: 'Submit an incident report',
  }),
  listMyReports: endpoint('GET /api/my-reports', {
    reply: z.array(MyReport),
    summary: "The user's own submitted reports, newest first, without their content",
  }),
  getLastReporter: endpoint('GET /api/last-reporter', {
    reply: LastReporter,
    summary: "The name of who completed this user's last report; empty if there is none",
  }),
  listReports: endpoint('GET /api/get-reports', {
    access: 'reviewer',
    query: ReportQuery,
    reply: z.array(Report),
    isHeavy: true,
    summary: 'The reports, newest first: all, or filtered by search, month or cursor',
  }),
  listReportMonths: endpoint('GET /api/report-months', {
    access: 'reviewer',
    query: ReportMonthQuery,
    reply: z.array(ReportMonth),
    isHeavy: true,
    summary: 'The number of reports in each month',
  }),
  getReport: endpoint('GET /api/reports/{id}', {
    access: 'reviewer',
    reply: z.extend(Report, { place: PlaceOfRecord }),
    summary: 'One report, with its place if the user sees that park',
  }),
  deleteReport: endpoint('DELETE /api/delete-report/{id}', {
    access: 'reviewer',
    body: DeletionReason,
    json: { bytes: 16 * 1024 },
    reply: SuccessReply,
    summary: 'Delete a report; the reason is optional',
  }),
  getReportPdf: endpoint('GET /api/report-pdf/{id}', {
    access: 'reviewer',
    query: PdfQuery,
    reply: 'pdf',
    perMinute: 20,
    isHeavy: true,
    summary: 'A report as PDF, optionally with its RIDDOR assessment',
  }),

  // Packs
  createPack: endpoint('POST /api/packs', {
    access: 'reviewer',
    body: NewPack,
    json: { bytes: 16 * 1024 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    perMinute: 10,
    summary: 'Request a zip of chosen reports and their related records; one at a time for each user',
  }),
  listPacks: endpoint('GET /api/packs', {
    access: 'reviewer',
    reply: z.array(Pack),
    summary: "The user's own packs and their progress, newest first; all for an Admin of all parks",
  }),
  getPackFile: endpoint('GET /api/packs/{id}/file', {
    access: 'reviewer',
    reply: 'file',
    perMinute: 20,
    isHeavy: true,
    summary: 'The zip of a pack, for seven days, for the user who requested it or an Admin of all parks',
  }),
  makePackAgain: endpoint('POST /api/packs/{id}/again', {
    access: 'reviewer',
    reply: SuccessReply,
    perMinute: 10,
    summary: 'Build a failed or expired pack again',
  }),
  deletePack: endpoint('DELETE /api/packs/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'Delete a pack',
  }),

  // RIDDOR, retention and access requests
  getAssessment: endpoint('GET /api/reports/{id}/assessment', {
    access: 'reviewer',
    reply: Assessment,
    summary: 'The RIDDOR assessment of a report; empty if there is none',
  }),
  saveAssessment: endpoint('PUT /api/reports/{id}/assessment', {
    access: 'reviewer',
    body: AssessmentChange,
    json: { bytes: 256 * 1024, entries: 6000 },
    reply: Assessment,
    summary: 'Save the answers of a RIDDOR assessment',
  }),
  decideAssessment: endpoint('POST /api/reports/{id}/assessment/decision', {
    access: 'reviewer',
    body: AssessmentDecision,
    json: { bytes: 16 * 1024 },
    reply: Assessment,
    idempotent: true,
    summary: 'Decide whether a report is reportable',
  }),
  addRiddorNotice: endpoint('POST /api/reports/{id}/riddor-notices', {
    access: 'reviewer',
    body: NewNotice,
    json: { bytes: 32 * 1024 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Record that HSE, or another firm, was told',
  }),
  listOpenDuties: endpoint('GET /api/riddor/open', {
    access: 'reviewer',
    query: OpenDutiesQuery,
    reply: z.array(ReportRiddorState),
    summary: 'Reports with unfinished duties under RIDDOR, most urgent first',
  }),
  countDuties: endpoint('GET /api/riddor/counts', {
    access: 'reviewer',
    query: z.omit(ReportQuery, { duty: true, after: true, limit: true }),
    reply: DutyCounts,
    summary: 'The numbers of reports that are overdue, to report and to assess',
  }),
  getRuleSet: endpoint('GET /api/riddor/rules/{id}', {
    access: 'reviewer',
    reply: z.record(z.string(), z.unknown()),
    summary: 'A rule set: its questions, texts and rules',
  }),
  listParkSettings: endpoint('GET /api/park-settings', {
    access: 'reviewer',
    reply: z.array(ParkSettings),
    summary:
      'Of each park that the user sees: who does audits of failing answers and hazards, its telephone number, and which authority enforces there',
  }),
  saveParkSettings: endpoint('PUT /api/admin/park-settings', {
    access: 'admin',
    body: ParkSettingsChange,
    reply: SuccessReply,
    summary: 'Change settings of a park; its authority only as an Admin of all parks',
  }),
  listPlaces: endpoint('GET /api/places', {
    reply: z.array(Place),
    summary: "The places of the user's parks, with those that are retired",
  }),
  getPlace: endpoint('GET /api/places/{id}', {
    reply: z.extend(Place, {
      ready: z.array(Readiness),
      checks: z.array(Check),
      audits: z.array(OpenAudit),
    }),
    summary: 'A place: whether it is ready to open, its next checks, and its open audits; nothing about reports',
  }),
  addPlaces: endpoint('POST /api/places', {
    access: 'reviewer',
    body: NewPlaces,
    json: { bytes: 512 * 1024, entries: 2100, list: 2000 },
    reply: z.extend(SuccessReply, { added: z.number() }),
    perMinute: 60,
    summary: 'Add places to a park; those that it has are left out',
  }),
  updatePlace: endpoint('PUT /api/places/{id}', {
    access: 'reviewer',
    body: PlaceChange,
    reply: SuccessReply,
    summary: 'Rename a place, retire it, or bring it back',
  }),
  joinPlaces: endpoint('POST /api/places/{id}/join', {
    access: 'reviewer',
    body: z.object({ into: z.string() }),
    reply: SuccessReply,
    summary: 'Join a place into another of its park, which gets its records',
  }),
  listLocations: endpoint('GET /api/locations', {
    access: 'reviewer',
    query: ParkQuery,
    reply: Locations,
    isHeavy: true,
    summary: 'The locations typed in reports and audits of a park that are no place yet, and what was linked later',
  }),
  linkLocation: endpoint('POST /api/locations/link', {
    access: 'reviewer',
    body: LocationLink,
    reply: z.extend(SuccessReply, { linked: z.number() }),
    isHeavy: true,
    summary: 'Link all records of a typed location to a place, which is created if there is none of that name',
  }),
  unlinkLocation: endpoint('POST /api/locations/unlink', {
    access: 'reviewer',
    body: LocationUnlink,
    reply: SuccessReply,
    summary: 'Undo a link of records to a place',
  }),
  listRetention: endpoint('GET /api/admin/retention', {
    access: 'adminOfAllParks',
    reply: RetentionList,
    perMinute: 30,
    isHeavy: true,
    summary: 'Records past their retention period; destroys nothing',
  }),
  runRetention: endpoint('POST /api/admin/retention/run', {
    access: 'adminOfAllParks',
    body: RetentionRun,
    json: { bytes: 16 * 1024 },
    reply: RetentionOutcome,
    idempotent: true,
    perMinute: 10,
    isHeavy: true,
    summary: 'Destroy the ticked records of a list; skips records changed since',
  }),
  createAccessRequest: endpoint('POST /api/admin/access-requests', {
    access: 'adminOfAllParks',
    body: NewAccessRequest,
    json: { bytes: 16 * 1024 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: "Open a person's request to see the data stored about them",
  }),
  listAccessRequests: endpoint('GET /api/admin/access-requests', {
    access: 'adminOfAllParks',
    reply: z.array(AccessRequest),
    summary: 'The access requests, newest first',
  }),
  getAccessRequest: endpoint('GET /api/admin/access-requests/{id}', {
    access: 'adminOfAllParks',
    reply: AccessRequestHits,
    perMinute: 20,
    isHeavy: true,
    summary: 'An access request with every record that names the person',
  }),
  saveAccessChoices: endpoint('PUT /api/admin/access-requests/{id}', {
    access: 'adminOfAllParks',
    body: AccessChoices,
    json: { bytes: 2 * 1024 * 1024, entries: 50_000, list: maxChoices },
    reply: AccessRequestWithChoices,
    summary: 'Save which records of an access request are sent, redacted or left out',
  }),
  getAccessZip: endpoint('GET /api/admin/access-requests/{id}/zip', {
    access: 'adminOfAllParks',
    reply: 'file',
    perMinute: 5,
    isHeavy: true,
    summary: 'The copy for the person as a zip',
  }),
  blankNames: endpoint('POST /api/admin/access-requests/{id}/blank', {
    access: 'adminOfAllParks',
    body: EraseNames,
    json: { bytes: 16 * 1024 },
    reply: ErasureOutcome,
    idempotent: true,
    perMinute: 10,
    isHeavy: true,
    summary: 'Erase the name of an access request in records that are kept; skips records that must keep it',
  }),
  listHolds: endpoint('GET /api/admin/holds', {
    access: 'adminOfAllParks',
    reply: z.array(Hold),
    summary: 'The holds in force',
  }),
  setHold: endpoint('POST /api/admin/holds', {
    access: 'adminOfAllParks',
    body: NewHold,
    json: { bytes: 16 * 1024 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Put a hold on a report, or on all reports of a person or park, until it is lifted',
  }),
  reviewHold: endpoint('PUT /api/admin/holds/{id}', {
    access: 'adminOfAllParks',
    body: HoldReview,
    reply: SuccessReply,
    summary: 'Keep a hold after a review, until the next one',
  }),
  liftHold: endpoint('DELETE /api/admin/holds/{id}', {
    access: 'adminOfAllParks',
    reply: SuccessReply,
    summary: 'Lift a hold',
  }),
  releaseDeleted: endpoint('POST /api/admin/deleted/{id}/release', {
    access: 'adminOfAllParks',
    body: Release,
    json: { bytes: 16 * 1024 },
    reply: SuccessReply,
    summary: 'Allow a deleted report to be permanently deleted before its legal period ends',
  }),

  // Checklists
  listChecklists: endpoint('GET /api/checklists', { reply: z.array(Checklist), summary: 'The checklists' }),
  submitChecklist: endpoint('POST /api/submit-checklist', {
    body: NewSubmission,
    json: { bytes: checklistLimits.bodyBytes },
    reply: NewSubmissionReply,
    status: 201,
    idempotent: true,
    forFormerUser: true,
    perMinute: 30,
    isHeavy: true,
    summary: 'Submit a filled-in checklist',
  }),
  createChecklist: endpoint('POST /api/admin/create-checklist', {
    access: 'reviewer',
    body: NewChecklist,
    json: { bytes: 256 * 1024, entries: 2000 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Create a checklist',
  }),
  updateChecklist: endpoint('PUT /api/admin/update-checklist/{id}', {
    access: 'reviewer',
    body: ChecklistChange,
    json: { bytes: 256 * 1024, entries: 2000 },
    reply: z.extend(SuccessReply, { version: z.number() }),
    summary: 'Change a checklist: a new version',
  }),
  deleteChecklist: endpoint('DELETE /api/admin/checklists/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'Delete a checklist',
  }),
  listSubmissions: endpoint('GET /api/admin/submitted-checklists', {
    access: 'reviewer',
    query: SubmissionQuery,
    reply: z.array(Submission),
    isHeavy: true,
    summary: 'The submitted checklists, newest first',
  }),
  listSubmissionTitles: endpoint('GET /api/admin/submission-titles', {
    access: 'reviewer',
    reply: z.array(z.string()),
    isHeavy: true,
    summary: 'The titles of submitted checklists, in order',
  }),
  getSubmission: endpoint('GET /api/admin/submitted-checklists/{id}', {
    access: 'reviewer',
    reply: Submission,
    summary: 'One submitted checklist',
  }),
  deleteSubmission: endpoint('DELETE /api/admin/submitted-checklists/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'Delete a submitted checklist',
  }),
  getSubmissionPdf: endpoint('GET /api/submission-pdf/{id}', {
    access: 'reviewer',
    reply: 'pdf',
    perMinute: 20,
    isHeavy: true,
    summary: 'A submitted checklist as PDF',
  }),

  // Overview
  getOverview: endpoint('GET /api/overview', {
    access: 'reviewer',
    query: OverviewQuery,
    reply: Overview,
    isHeavy: true,
    summary: 'Items that need attention, and the numbers of all parks in a period',
  }),
  listAuditsOnDay: endpoint('GET /api/overview/audits', {
    access: 'reviewer',
    query: AuditsOnDayQuery,
    reply: z.array(AuditOnDay),
    isHeavy: true,
    summary: "The audits of the user's parks that were open or overdue at the end of a day",
  }),

  // Scheduled checks
  listDueChecks: endpoint('GET /api/due-checks', {
    query: DueQuery,
    reply: z.object({ checks: z.array(Check), ready: z.array(Readiness) }),
    summary: "Today's checks in the user's parks, and the facilities that are ready to open",
  }),
  listSchedules: endpoint('GET /api/admin/schedules', {
    access: 'reviewer',
    reply: z.array(Schedule),
    summary: 'The schedules of checklists',
  }),
  createSchedule: endpoint('POST /api/admin/schedules', {
    access: 'reviewer',
    body: NewSchedule,
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Schedule a checklist',
  }),
  updateSchedule: endpoint('PUT /api/admin/schedules/{id}', {
    access: 'reviewer',
    body: ScheduleChange,
    reply: SuccessReply,
    summary: 'Change a schedule: checks that were due stay unchanged',
  }),
  endSchedule: endpoint('DELETE /api/admin/schedules/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'End a schedule: checks that were due stay on record',
  }),
  listClosures: endpoint('GET /api/admin/park-closures', {
    access: 'reviewer',
    reply: z.array(Closure),
    summary: 'The days on which parks are closed, from today',
  }),
  createClosure: endpoint('POST /api/admin/park-closures', {
    access: 'reviewer',
    body: NewClosure,
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Close a park on some days: no checks are due there',
  }),
  deleteClosure: endpoint('DELETE /api/admin/park-closures/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'Delete closed days of a park',
  }),
  listChecks: endpoint('GET /api/admin/checks', {
    access: 'reviewer',
    query: CheckQuery,
    reply: z.array(Check),
    isHeavy: true,
    summary: 'The scheduled checks that have opened, newest first',
  }),
  countChecks: endpoint('GET /api/admin/checks/counts', {
    access: 'reviewer',
    query: z.omit(CheckQuery, { checklist: true, after: true, limit: true }),
    reply: z.array(CheckCount),
    isHeavy: true,
    summary: 'How many of these checks there are of each checklist, and at which parks',
  }),
  explainMissedCheck: endpoint('PUT /api/admin/checks/{id}/reason', {
    access: 'reviewer',
    body: MissedReason,
    reply: SuccessReply,
    summary: 'Store the reason why a check was missed',
  }),

  // Audits
  listFolders: endpoint('GET /api/audit-folders', {
    reply: z.array(Folder),
    summary: "The audit folders of the user's parks",
  }),
  createFolder: endpoint('POST /api/audit-folders', {
    body: {
      file: 'thumbnail',
      required: false,
      limit: limits.thumbnailBytes,
      tooLarge: 'Image is too large (max 5 MB)',
      fields: NewFolder,
    },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Create an audit folder',
  }),
  getFolder: endpoint('GET /api/audit-folders/{id}', { reply: Folder, summary: 'One audit folder' }),
  updateFolder: endpoint('PUT /api/audit-folders/{id}', {
    body: FolderChange,
    json: { bytes: 16 * 1024 },
    reply: SuccessReply,
    summary: 'Change an audit folder',
  }),
  deleteFolder: endpoint('DELETE /api/audit-folders/{id}', {
    reply: SuccessReply,
    summary: 'Delete an audit folder and its audits',
  }),
  listAudits: endpoint('GET /api/audits/folder/{folderId}', {
    reply: z.array(ListedAudit),
    isHeavy: true,
    summary: "A folder's audits",
  }),
  listOpenAudits: endpoint('GET /api/audits', {
    query: OpenAuditQuery,
    reply: z.array(OpenAudit),
    isHeavy: true,
    summary: "The open audits of the user's parks, soonest due first; with mine=yes those assigned to the user",
  }),
  countOpenAudits: endpoint('GET /api/audit-counts', {
    reply: OpenAuditCounts,
    isHeavy: true,
    summary: "How many open audits of the user's parks are overdue, per park and person, and how many are unassigned",
  }),
  listAuditNotes: endpoint('GET /api/audits/{id}/notes', {
    reply: z.array(AuditNote),
    isHeavy: true,
    summary: 'The notes on an audit, oldest first',
  }),
  addAuditNote: endpoint('POST /api/audits/{id}/notes', {
    body: NewAuditNote,
    json: { bytes: 64 * 1024 },
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Add a note to an audit, completed or not',
  }),
  verifyAudit: endpoint('POST /api/audits/{id}/verification', {
    body: NewVerification,
    json: { bytes: 64 * 1024 },
    reply: VerificationReply,
    status: 201,
    idempotent: true,
    summary: 'Say whether what a completed audit put right works; if not, a follow-up audit is created',
  }),
  listReportAudits: endpoint('GET /api/reports/{id}/audits', {
    access: 'reviewer',
    reply: z.array(LinkedAudit),
    summary: "The audits in the user's parks that were created from a report, including deleted ones",
  }),
  listSubmissionAudits: endpoint('GET /api/admin/submitted-checklists/{id}/audits', {
    access: 'reviewer',
    reply: z.array(LinkedAudit),
    summary: "The audits in the user's parks that were created from a submitted checklist, including deleted ones",
  }),
  listParkNumbers: endpoint('GET /api/park-numbers', {
    reply: z.array(ParkNumber),
    summary: "Whom to ring about an urgent hazard at each of the user's parks that has a number",
  }),
  createAudit: endpoint('POST /api/audits', {
    body: NewAudit,
    json: { bytes: 128 * 1024 },
    reply: NewAuditReply,
    status: 201,
    idempotent: true,
    forFormerUser: true,
    isHeavy: true,
    summary: "Create an audit, or report a hazard: an audit in its park's folder 'Hazards'",
  }),
  getAudit: endpoint('GET /api/audits/{id}', { reply: Audit, summary: 'One audit, with its place' }),
  updateAudit: endpoint('PUT /api/audits/{id}', {
    body: AuditChange,
    json: { bytes: 128 * 1024 },
    reply: Audit,
    forFormerUser: true,
    summary: 'Change or complete an audit',
  }),
  changeAudits: endpoint('POST /api/audit-changes', {
    body: AuditsChange,
    json: { bytes: 32 * 1024 },
    reply: AuditsChangeReply,
    isHeavy: true,
    summary:
      'Assign several open audits, set their due date, or remind their assignees once a day; names those left unchanged',
  }),
  deleteAudit: endpoint('DELETE /api/audits/{id}', { reply: SuccessReply, summary: 'Delete an audit' }),
  getAuditPdf: endpoint('GET /api/audit-pdf/{id}', {
    reply: 'pdf',
    perMinute: 20,
    isHeavy: true,
    summary: 'An audit as PDF',
  }),

  // Investigations
  listInvestigations: endpoint('GET /api/investigations', {
    access: 'reviewer',
    query: z.object({ of: z.optional(z.string().check(z.maxLength(40))) }),
    reply: z.array(ListedInvestigation),
    isHeavy: true,
    summary: 'The investigations, newest first, or the one that covers a report or audit',
  }),
  createInvestigation: endpoint('POST /api/investigations', {
    access: 'reviewer',
    body: NewInvestigation,
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    summary: 'Start an investigation from a report or an audit',
  }),
  getInvestigation: endpoint('GET /api/investigations/{id}', {
    access: 'reviewer',
    reply: Investigation,
    summary: 'An investigation with its sections, notes and actions',
  }),
  saveInvestigationSection: endpoint('PUT /api/investigation-sections/{id}', {
    access: 'reviewer',
    body: SectionChange,
    json: { bytes: 1024 * 1024, entries: 5000 },
    reply: Investigation,
    summary: 'Save one section of an investigation, unless someone else has saved it since',
  }),
  coverReport: endpoint('PUT /api/investigations/{id}/reports', {
    access: 'reviewer',
    body: InvestigationReport,
    reply: Investigation,
    summary: 'Add a report to an investigation, or take one out',
  }),
  addInvestigationNote: endpoint('POST /api/investigations/{id}/notes', {
    access: 'reviewer',
    body: NewInvestigationNote,
    json: { bytes: 32 * 1024 },
    reply: Investigation,
    status: 201,
    idempotent: true,
    summary: 'Complete or confirm the findings, waive an action, say why a cause needs none, or add a correction',
  }),
  deleteInvestigation: endpoint('DELETE /api/investigations/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    summary: 'Delete an investigation; its actions stay',
  }),
  getInvestigationPdf: endpoint('GET /api/investigation-pdf/{id}', {
    access: 'reviewer',
    reply: 'pdf',
    perMinute: 20,
    isHeavy: true,
    summary: 'An investigation as PDF',
  }),

  // Users
  listUsers: endpoint('GET /api/admin/users', { access: 'reviewer', reply: z.array(User), summary: 'The users' }),
  listRoles: endpoint('GET /api/admin/roles', {
    access: 'reviewer',
    reply: z.array(Role),
    summary: 'The roles that the user may assign',
  }),
  userExists: endpoint('POST /api/admin/user-exists', {
    access: 'reviewer',
    body: UsernameQuery,
    reply: z.object({ exists: z.boolean() }),
    perMinute: 30,
    summary: 'Whether a username is taken',
  }),
  createUser: endpoint('POST /api/admin/create-user', {
    access: 'reviewer',
    body: NewUser,
    reply: CreatedReply,
    status: 201,
    idempotent: true,
    perMinute: 30,
    summary: 'Create a user',
  }),
  deleteUser: endpoint('DELETE /api/admin/users/{id}', {
    access: 'reviewer',
    reply: SuccessReply,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: 'Delete a user and end their sessions',
  }),
  updateUserDetails: endpoint('PUT /api/admin/users/{id}/details', {
    access: 'admin',
    body: UserDetails,
    reply: SuccessReply,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: "Set a user's full name and email address",
  }),
  assignRole: endpoint('POST /api/admin/assign-role', {
    access: 'reviewer',
    body: RoleAssignment,
    reply: SuccessReply,
    summary: "Change a user's role and park",
  }),
  resetPassword: endpoint('POST /api/admin/reset-password', {
    access: 'reviewer',
    body: PasswordReset,
    reply: z.object({ success: z.literal(true), password: z.string() }),
    perMinute: 10,
    summary: 'Set a one-time password for a user',
  }),
  importUsers: endpoint('POST /api/admin/import-users', {
    access: 'reviewer',
    body: UserImport,
    json: { bytes: 256 * 1024 },
    reply: z.object({ success: z.literal(true), users: z.array(CreatedUser) }),
    status: 201,
    perMinute: 5,
    isHeavy: true,
    summary: 'Create many users from a CSV file, each with a one-time password',
  }),

  // Exports
  exportReports: endpoint('GET /api/export/reports', {
    access: 'reviewer',
    query: ReportExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: 'The reports as CSV or XLSX',
  }),
  exportSubmissions: endpoint('GET /api/export/submissions', {
    access: 'reviewer',
    query: SubmissionExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary:
      'The submitted checklists as CSV or XLSX: for one title with answers as columns, otherwise one row per answer',
  }),
  exportAudits: endpoint('GET /api/export/audits', {
    access: 'reviewer',
    query: AuditExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: "The audits of the user's parks as CSV or XLSX",
  }),
  exportInvestigations: endpoint('GET /api/export/investigations', {
    access: 'reviewer',
    query: ExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: 'The investigations as CSV or XLSX',
  }),
  exportUsers: endpoint('GET /api/export/users', {
    access: 'reviewer',
    query: ExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: 'The users as CSV or XLSX',
  }),
  exportChecks: endpoint('GET /api/export/checks', {
    access: 'reviewer',
    query: CheckExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: 'The scheduled checks whose window has opened, as CSV or XLSX',
  }),
  exportPlaces: endpoint('GET /api/export/places', {
    access: 'reviewer',
    query: PlaceExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: "The places of the user's parks as CSV or XLSX",
  }),
  exportActivity: endpoint('GET /api/export/activity', {
    access: 'reviewer',
    query: ActivityExportQuery,
    reply: 'file',
    perMinute: 10,
    isHeavy: true,
    summary: 'The activity log as CSV or XLSX',
  }),

  // Notifications
  listNotifications: endpoint('GET /api/notifications', {
    query: NotificationQuery,
    reply: z.array(Notification),
    summary: "The user's notifications of the last 90 days, newest first, and their deliveries",
  }),
  countNotifications: endpoint('GET /api/notifications/count', {
    reply: z.object({ unread: z.number() }),
    summary: 'The number of unread notifications; does not extend the session',
  }),
  readNotification: endpoint('POST /api/notifications/{id}/read', {
    reply: SuccessReply,
    summary: 'Mark a notification as read',
  }),
  readAllNotifications: endpoint('POST /api/notifications/read-all', {
    reply: SuccessReply,
    summary: 'Mark all notifications as read',
  }),
  getNotificationSettings: endpoint('GET /api/notification-settings', {
    reply: NotificationSettings,
    summary: 'The kinds and channels the user switched off, and the available channels',
  }),
  saveNotificationSettings: endpoint('PUT /api/notification-settings', {
    body: NotificationSettingsChange,
    json: { bytes: 16 * 1024 },
    reply: SuccessReply,
    summary: 'Switch kinds of notifications on and off by channel',
  }),
  sendTestNotification: endpoint('POST /api/notification-settings/test', {
    reply: z.object({ success: z.literal(true), channels: z.array(z.enum(notificationChannels)) }),
    perMinute: 5,
    summary: 'Send the user a test message by each of their channels',
  }),
  addPushSubscription: endpoint('POST /api/push-subscriptions', {
    body: PushSubscription,
    reply: SuccessReply,
    perMinute: 20,
    summary: 'Subscribe this device to push messages',
  }),
  removePushSubscription: endpoint('POST /api/push-subscriptions/remove', {
    body: PushRemoval,
    reply: SuccessReply,
    summary: 'Unsubscribe this device from push messages',
  }),
  listReportDeliveries: endpoint('GET /api/reports/{id}/deliveries', {
    access: 'reviewer',
    reply: z.array(Delivery),
    summary: 'The users notified of a report by email or push, and the responses of the services',
  }),
  listAuditDeliveries: endpoint('GET /api/audits/{id}/deliveries', {
    reply: z.array(Delivery),
    summary: 'The users notified of an audit by email or push, and the responses of the services',
  }),
  getDeliveryHealth: endpoint('GET /api/admin/delivery-health', {
    access: 'admin',
    reply: DeliveryHealth,
    summary: 'Whether email is set up wrongly or has been failing',
  }),

  // Activity log and deleted items
  listActivity: endpoint('GET /api/admin/activity', {
    access: 'reviewer',
    query: ActivityQuery,
    reply: z.array(Activity),
    isHeavy: true,
    summary: 'The activity log, newest first: all for an Admin, otherwise entries about records the user may see',
  }),
  getReportHistory: endpoint('GET /api/reports/{id}/history', {
    access: 'reviewer',
    query: HistoryQuery,
    reply: z.array(Activity),
    summary: 'The activity log of a report, newest first',
  }),
  listDeleted: endpoint('GET /api/admin/deleted', {
    access: 'reviewer',
    reply: z.array(Deletion),
    isHeavy: true,
    summary: 'Deleted items that can be restored',
  }),
  restoreDeleted: endpoint('POST /api/admin/deleted/{id}/restore', {
    access: 'admin',
    reply: SuccessReply,
    summary: 'Restore a deleted item',
  }),
};

/** The contract for clients. */
export const api: ClientApi<Api> = contract;

export type Api = typeof contract;
export type EndpointName = keyof Api;
