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
  MessageExportQuery,
  PlaceExportQuery,
  ReadingExportQuery,
  ReportExportQuery,
  SubmissionExportQuery,
  UserExportQuery,
} from './exports.ts';
import {
  Investigation,
  ListedInvestigation,
  NewInvestigation,
  NewInvestigationNote,
  ReportCoverage,
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
import { Lesson, ListedLesson, NewLesson } from './lessons.ts';
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
import { AuditOnDay, AuditsOnDayQuery, DoNow, Overview, OverviewQuery } from './overview/overview.ts';
import { NewPack, Pack } from './packs.ts';
import { AllParkSettings, MessagesSwitch, ParkSettings, ParkSettingsChange } from './park-settings.ts';
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
import { ParkNumber } from './places/hazards.ts';
import {
  ListedMessage,
  Message,
  MessageClosing,
  MessageIds,
  MessageQuery,
  MessagesClosing,
  MessagesReply,
  PhotoRemoval,
} from './places/messages.ts';
import { ParkWasClosed } from './places/park-schemas.ts';
import {
  LabelChange,
  LabelQuery,
  LocationLink,
  Locations,
  LocationUnlink,
  NewPlaces,
  ParkQuery,
  Place,
  PlaceChange,
  PlaceOfRecord,
} from './places/places.ts';
import { PlaceReadings } from './places/readings.ts';
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
} from './reports/reports.ts';
import { LastResult, LastResultQuery, SubmissionReceipt } from './schedules/results.ts';
import {
  Check,
  CheckCount,
  CheckQuery,
  Closure,
  ComingChecks,
  ComingQuery,
  DueChecks,
  DueQuery,
  MissedReason,
  NewClosure,
  NewSchedule,
  Readiness,
  Schedule,
  ScheduleChange,
  scheduleLimits,
} from './schedules/schedules.ts';
import { Found, SearchWords } from './search/search.ts';
import {
  AppKey,
  Confirmation,
  CreatedPasskey,
  NewSecondFactor,
  OwnSecondFactors,
  PasskeyCreation,
  PasskeyName,
  PasskeyRequest,
  passkeyBytes,
  RecoveryCodes,
  SecondStep,
  SignedPasskey,
  TypedCode,
} from './sign-in/second-factors.ts';
import { NewSharedDevice, OwnSharedDevice, PinChange, PinSignIn, SharedDevice } from './sign-in/shared-devices.ts';
import {
  IdentityUser,
  ProviderReply,
  ProviderReturn,
  ProviderStart,
  ProviderUrl,
  returnBytes,
  WaitingIdentity,
} from './sign-in/single-sign-on.ts';
import { FirstSteps, FirstStepsChange, Progress } from './system/first-steps.ts';
import { SystemLine, SystemTestResult } from './system/system.ts';
import { Upload, UploadQuery } from './uploads.ts';
import {
  CreatedUsers,
  Credentials,
  EmailChange,
  EmailConfirmation,
  InvitationUse,
  NewUser,
  NewUserReply,
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
  UserImportCheck,
  UsernameQuery,
} from './users.ts';

/** A schedule may list the places of all parks. */
const scheduleJsonLimits = { bytes: 512 * 1024, entries: 12_000, list: scheduleLimits.places };

// Options that several endpoints share.
const exportOptions = { access: 'reviewer', reply: 'file', perMinute: 10, isHeavy: true } as const;
const pdfOptions = { access: 'reviewer', reply: 'pdf', perMinute: 20, isHeavy: true } as const;
const systemTestOptions = {
  access: 'adminOfAllParks',
  needsConfirmation: true,
  reply: SystemTestResult,
  perMinute: 10,
} as const;
/** Creates a record, whose id it returns. */
const created = { reply: CreatedReply, status: 201, idempotent: 'reply.id' } as const;

/**
 * Every endpoint with its schemas. The build for browsers contains only `api`, without schemas: see
 * build/api-contract.ts.
 */
export const contract = {
  // Signing in
  getSession: endpoint('GET /api/protected', {
    reply: z.object({
      user: SessionUser,
      expiresAt: z.string(),
      canExtend: z.boolean(),
      parks: z.readonly(z.array(z.object({ name: z.string(), isClosed: z.boolean() }))),
      doNow: z.optional(DoNow),
      /** For Admins of all parks, while something is left of the first steps. */
      firstSteps: z.optional(Progress),
    }),
    allowedBeforePasswordChange: true,
    summary:
      'The signed-in user, when the session ends, whether using it can move that end, the parks, and how much to do now',
  }),
  login: endpoint('POST /api/login', {
    access: 'anyone',
    body: Credentials,
    reply: z.object({ success: z.literal(true), role: Role }),
    summary: 'Sign in. With a second factor the reply is 401 with the code SECOND_FACTOR and `methods`',
  }),
  enterCode: endpoint('POST /api/login/code', {
    access: 'anyone',
    body: SecondStep,
    json: { bytes: passkeyBytes },
    reply: z.object({ success: z.literal(true), role: Role }),
    perMinute: 20,
    summary: 'Complete a sign-in whose password was right: with a passkey, a code from an app, or a recovery code',
  }),
  requestPasskey: endpoint('POST /api/login/passkey-request', {
    access: 'anyone',
    reply: PasskeyRequest,
    perMinute: 20,
    summary: "What a browser needs to use a passkey, to sign in or to confirm the user's identity",
  }),
  signInWithPasskey: endpoint('POST /api/login/passkey', {
    access: 'anyone',
    body: z.object({ passkey: SignedPasskey }),
    json: { bytes: passkeyBytes },
    reply: z.object({ success: z.literal(true), role: Role }),
    perMinute: 20,
    summary: 'Sign in with a passkey, which replaces password and second factor',
  }),
  logout: endpoint('POST /api/logout', { access: 'anyone', summary: 'Sign out' }),
  changePassword: endpoint('POST /api/change-password', {
    changesSignIn: true,
    body: PasswordChange,
    allowedBeforePasswordChange: true,
    perMinute: 10,
    summary: "Change the user's own password; ends their other sessions",
  }),
  confirmIdentity: endpoint('POST /api/confirm-identity', {
    notByPin: true,
    allowedBeforePasswordChange: true,
    body: Confirmation,
    json: { bytes: passkeyBytes },
    perMinute: 10,
    summary: "Confirm the user's identity for ten minutes: with a passkey, or the password and any second factor",
  }),
  getSecondFactors: endpoint('GET /api/second-factors', {
    allowedBeforePasswordChange: true,
    reply: OwnSecondFactors,
    summary: "The user's own second factors",
  }),
  putOffSecondFactor: endpoint('POST /api/second-factors/later', {
    notByPin: true,
    perMinute: 10,
    summary: 'Log that the user puts off setting up a second factor that their role requires',
  }),
  startAppSetUp: endpoint('POST /api/second-factors/app', {
    reply: AppKey,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'A new key for an app that shows codes; in use once a code of the app and a recovery code were checked',
  }),
  checkAppSetUp: endpoint('POST /api/second-factors/app/check', {
    changesSignIn: true,
    body: TypedCode,
    reply: NewSecondFactor,
    perMinute: 10,
    summary: "Check a code of the new key; returns ten recovery codes, once, if it is the user's first second factor",
  }),
  removeApp: endpoint('DELETE /api/second-factors/app', {
    needsConfirmation: true,
    perMinute: 10,
    summary: 'Remove codes from an app, and the recovery codes if there is no passkey',
  }),
  startPasskeySetUp: endpoint('POST /api/second-factors/passkey-request', {
    reply: PasskeyCreation,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'What a browser needs to create a passkey',
  }),
  addPasskey: endpoint('POST /api/second-factors/passkeys', {
    changesSignIn: true,
    body: z.object({ ...PasskeyName.shape, passkey: CreatedPasskey }),
    json: { bytes: passkeyBytes },
    reply: NewSecondFactor,
    perMinute: 10,
    summary: "Store a passkey; returns ten recovery codes, once, if it is the user's first second factor",
  }),
  renamePasskey: endpoint('PUT /api/second-factors/passkeys/{id}', {
    body: PasskeyName,
    needsConfirmation: true,
    perMinute: 10,
    summary: "Rename one of the user's own passkeys",
  }),
  removePasskey: endpoint('DELETE /api/second-factors/passkeys/{id}', {
    needsConfirmation: true,
    perMinute: 10,
    summary: "Remove one of the user's own passkeys, and the recovery codes if it is the last second factor",
  }),
  createRecoveryCodes: endpoint('POST /api/recovery-codes', {
    reply: RecoveryCodes,
    needsConfirmation: true,
    perMinute: 10,
    summary: 'Ten new recovery codes, returned once; they replace the earlier ones once one of them is confirmed',
  }),
  confirmRecoveryCodes: endpoint('POST /api/recovery-codes/confirm', {
    changesSignIn: true,
    body: TypedCode,
    perMinute: 10,
    summary: 'Confirm the new recovery codes by entering one of them, which completes the set-up',
  }),
  listSessions: endpoint('GET /api/sessions', {
    reply: z.array(Session),
    summary: "The user's own sessions: this one, then the last used first",
  }),
  endSessions: endpoint('POST /api/end-sessions', {
    changesSignIn: true,
    body: SessionEnd,
    perMinute: 10,
    summary: "End one of the user's other sessions, or all of them, with the user's password",
  }),
  setPin: endpoint('PUT /api/pin', {
    changesSignIn: true,
    allowedBeforePasswordChange: true,
    body: PinChange,
    perMinute: 10,
    summary: "Set the user's own PIN for shared devices; there it may replace a one-time password",
  }),
  signInWithPin: endpoint('POST /api/login/pin', {
    access: 'anyone',
    body: PinSignIn,
    reply: z.object({ success: z.literal(true), role: Role }),
    perMinute: 60,
    summary: 'Sign in on a shared device, with the rights of staff',
  }),
  getOwnSharedDevice: endpoint('GET /api/shared-device', {
    access: 'anyone',
    reply: OwnSharedDevice,
    perMinute: 60,
    summary: 'The shared device that asks, and who can sign in on it with a PIN',
  }),
  createSharedDevice: endpoint('POST /api/shared-devices', {
    access: 'reviewer',
    needsConfirmation: true,
    body: NewSharedDevice,
    perMinute: 10,
    summary: 'Share this device among the staff of a park; signs the user out',
  }),
  listSharedDevices: endpoint('GET /api/shared-devices', {
    access: 'reviewer',
    reply: z.array(SharedDevice),
    summary: "The shared devices of the user's parks",
  }),
  allowSharedDevice: endpoint('POST /api/shared-devices/{id}/allow', {
    access: 'admin',
    changesSignIn: true,
    perMinute: 60,
    summary: 'Allow a shared device again after a backup was restored',
  }),
  removeSharedDevice: endpoint('DELETE /api/shared-devices/{id}', {
    access: 'reviewer',
    perMinute: 60,
    summary: 'Stop sharing a device, and end the session on it',
  }),
  startProviderSignIn: endpoint('POST /api/login/provider', {
    access: 'anyone',
    notByPin: true,
    body: ProviderStart,
    reply: ProviderUrl,
    perMinute: 20,
    summary:
      "Begin to sign in through the operator's provider, to link the user's account or to confirm their identity",
  }),
  completeProviderSignIn: endpoint('POST /api/login/provider/return', {
    access: 'anyone',
    notByPin: true,
    body: ProviderReturn,
    json: { bytes: returnBytes },
    reply: z.object({ success: z.literal(true), role: Role, ...ProviderReply }),
    perMinute: 20,
    summary: 'Complete what was begun, with what the provider returned; a second factor is asked for as by login',
  }),
  listWaitingIdentities: endpoint('GET /api/waiting-identities', {
    access: 'adminOfAllParks',
    notByPin: true,
    reply: z.array(WaitingIdentity),
    summary: 'The people who tried to sign in through the provider and are not users, newest first',
  }),
  linkIdentity: endpoint('POST /api/waiting-identities/{id}/link', {
    access: 'adminOfAllParks',
    needsConfirmation: true,
    body: IdentityUser,
    perMinute: 60,
    summary: 'Link a waiting identity to a user, who then signs in through the provider',
  }),
  refuseIdentity: endpoint('DELETE /api/waiting-identities/{id}', {
    access: 'adminOfAllParks',
    notByPin: true,
    perMinute: 60,
    summary: 'Remove a waiting identity; it waits again when it is used again',
  }),
  unlinkUser: endpoint('POST /api/users/{id}/unlink', {
    access: 'adminOfAllParks',
    needsConfirmation: true,
    perMinute: 60,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: "Remove a user's link to the provider, and end their sessions",
  }),
  allowLinkedUser: endpoint('POST /api/users/{id}/allow', {
    access: 'adminOfAllParks',
    needsConfirmation: true,
    perMinute: 60,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: 'Allow a user for whom the provider names no role to sign in, with the role and parks that they have here',
  }),
  getUsername: endpoint('GET /api/user/{id}', {
    reply: z.object({ username: z.string() }),
    perMinute: 60,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: "A user's name, also of deleted users",
  }),

  listNames: endpoint('GET /api/names', {
    reply: z.array(PersonName),
    summary: 'The users to whom the user may assign audits, with the full names to show instead of their usernames',
  }),
  requestEmailChange: endpoint('POST /api/email-change', {
    changesSignIn: true,
    body: EmailChange,
    reply: z.object({ success: z.literal(true), isLinkSent: z.boolean() }),
    perMinute: 5,
    summary: "Change the user's own email address: a link is sent to the new one",
  }),
  confirmEmailChange: endpoint('POST /api/email-change/confirm', {
    access: 'anyone',
    body: EmailConfirmation,
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
    idempotent: 'reply.filePath',
    forAnotherUser: true,
    perMinute: 60,
    summary: 'Upload a photo or a signature',
  }),

  // Reports
  submitAccident: endpoint('POST /api/submit-accident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: 'reply.id',
    forAnotherUser: true,
    perMinute: 30,
    summary: 'Submit an accident report',
  }),
  submitIncident: endpoint('POST /api/submit-incident', {
    body: NewReport,
    json: { bytes: 128 * 1024 },
    reply: NewReportReply,
    status: 201,
    idempotent: 'reply.id',
    forAnotherUser: true,
    perMinute: 30,
    summary: 'Submit an incident report',
  }),
  listMyReports: endpoint('GET /api/my-reports', {
    reply: z.array(MyReport),
    summary: "The user's own submitted reports, newest first, without their content",
  }),
  getLastReporter: endpoint('GET /api/last-reporter', {
    reply: LastReporter,
    summary: "The name of the person who completed this user's last report; empty if there is none",
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
  findReportNeighbours: endpoint('GET /api/reports/{id}/neighbours', {
    access: 'reviewer',
    query: ReportMonthQuery,
    reply: z.object({ previous: z.optional(z.string()), next: z.optional(z.string()) }),
    isHeavy: true,
    summary: 'The ids before and after a report in the filtered list; of another list, its last and its first one',
  }),
  getReport: endpoint('GET /api/reports/{id}', {
    access: 'reviewer',
    reply: z.extend(Report, { place: PlaceOfRecord, parkWasClosed: ParkWasClosed }),
    summary: 'One report, with its place if the user sees that park',
  }),
  deleteReport: endpoint('DELETE /api/delete-report/{id}', {
    access: 'reviewer',
    body: DeletionReason,
    json: { bytes: 16 * 1024 },
    summary: 'Delete a report; the reason is optional',
  }),
  getReportPdf: endpoint('GET /api/report-pdf/{id}', {
    ...pdfOptions,
    query: PdfQuery,
    summary: 'A report as PDF, optionally with its RIDDOR assessment',
  }),

  // Packs
  createPack: endpoint('POST /api/packs', {
    access: 'reviewer',
    body: NewPack,
    json: { bytes: 16 * 1024 },
    ...created,
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
    perMinute: 10,
    summary: 'Build a failed or expired pack again',
  }),
  deletePack: endpoint('DELETE /api/packs/{id}', {
    access: 'reviewer',
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
    idempotent: 'path.id',
    summary: 'Save the answers of a RIDDOR assessment',
  }),
  decideAssessment: endpoint('POST /api/reports/{id}/assessment/decision', {
    access: 'reviewer',
    body: AssessmentDecision,
    json: { bytes: 16 * 1024 },
    reply: Assessment,
    idempotent: 'path.id',
    summary: 'Decide whether a report is reportable',
  }),
  addRiddorNotice: endpoint('POST /api/reports/{id}/riddor-notices', {
    access: 'reviewer',
    body: NewNotice,
    json: { bytes: 32 * 1024 },
    ...created,
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
      'Of each park that the user sees: who does the audits that failing answers and hazards create, its telephone number, and its enforcing authority',
  }),
  saveParkSettings: endpoint('PUT /api/admin/park-settings', {
    access: 'admin',
    body: ParkSettingsChange,
    summary: 'Change settings of a park; its authority only as an Admin of all parks',
  }),
  saveAllParkSettings: endpoint('PUT /api/admin/parks', {
    access: 'admin',
    body: AllParkSettings,
    json: { bytes: 256 * 1024, entries: 2000, list: 200 },
    perMinute: 60,
    summary: 'Change settings of several parks at once; their authority only as an Admin of all parks',
  }),
  switchMessages: endpoint('PUT /api/admin/guest-messages', {
    access: 'admin',
    body: MessagesSwitch,
    perMinute: 20,
    summary: "Switch the messages of guests on or off, at all of the Admin's parks",
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
  listReadings: endpoint('GET /api/places/{id}/readings', {
    access: 'reviewer',
    reply: PlaceReadings,
    isHeavy: true,
    summary: 'The numbers that the checks of a place recorded, by question, oldest first',
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
    summary: 'Rename a place, retire it, or bring it back',
  }),
  joinPlaces: endpoint('POST /api/places/{id}/join', {
    access: 'reviewer',
    body: z.object({ into: z.string() }),
    summary: 'Join a place into another of its park, which gets its records',
  }),
  changeLabel: endpoint('PUT /api/places/{id}/label', {
    access: 'reviewer',
    body: LabelChange,
    perMinute: 60,
    summary: 'Give a place a new label, or switch its label off; the earlier label stops working',
  }),
  addLabels: endpoint('POST /api/labels', {
    access: 'reviewer',
    body: ParkQuery,
    reply: z.extend(SuccessReply, { added: z.number() }),
    perMinute: 20,
    summary: 'Give a label to each place of a park that has none and is not retired',
  }),
  getLabels: endpoint('GET /api/labels', {
    ...pdfOptions,
    query: LabelQuery,
    summary: 'The labels of a park, or of one place, for guests or staff, as PDF to print',
  }),
  listLocations: endpoint('GET /api/locations', {
    access: 'reviewer',
    query: ParkQuery,
    reply: Locations,
    isHeavy: true,
    summary: 'The locations typed in reports and audits of a park that are not a place yet, and the links made later',
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
    idempotent: 'noRecord',
    perMinute: 10,
    isHeavy: true,
    summary: 'Destroy the ticked records of a list; skips records changed since',
  }),
  createAccessRequest: endpoint('POST /api/admin/access-requests', {
    access: 'adminOfAllParks',
    body: NewAccessRequest,
    json: { bytes: 16 * 1024 },
    ...created,
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
    idempotent: 'path.id',
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
    idempotent: 'noRecord',
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
    ...created,
    summary: 'Put a hold on a report, or on all reports of a person or park, until it is lifted',
  }),
  reviewHold: endpoint('PUT /api/admin/holds/{id}', {
    access: 'adminOfAllParks',
    body: HoldReview,
    summary: 'Keep a hold after a review, until the next one',
  }),
  liftHold: endpoint('DELETE /api/admin/holds/{id}', {
    access: 'adminOfAllParks',
    summary: 'Lift a hold',
  }),
  releaseDeleted: endpoint('POST /api/admin/deleted/{id}/release', {
    access: 'adminOfAllParks',
    body: Release,
    json: { bytes: 16 * 1024 },
    summary: 'Allow a deleted report to be permanently deleted before its legal period ends',
  }),

  // Checklists
  listChecklists: endpoint('GET /api/checklists', { reply: z.array(Checklist), summary: 'The checklists' }),
  submitChecklist: endpoint('POST /api/submit-checklist', {
    body: NewSubmission,
    json: { bytes: checklistLimits.bodyBytes, entries: checklistLimits.entries },
    reply: NewSubmissionReply,
    status: 201,
    idempotent: 'reply.id',
    forAnotherUser: true,
    perMinute: 30,
    isHeavy: true,
    summary: 'Submit a filled-in checklist',
  }),
  getSubmissionReceipt: endpoint('GET /api/my-submissions/{id}/receipt', {
    reply: SubmissionReceipt,
    summary: "What has become of the user's own submission, for 24 hours",
  }),
  getLastResult: endpoint('GET /api/checklists/{id}/last-result', {
    query: LastResultQuery,
    reply: LastResult,
    summary:
      'When a checklist was last filled in at a place, which questions failed, and the audits that are open there',
  }),
  createChecklist: endpoint('POST /api/admin/create-checklist', {
    access: 'reviewer',
    body: NewChecklist,
    json: { bytes: 256 * 1024, entries: checklistLimits.entries },
    ...created,
    summary: 'Create a checklist',
  }),
  updateChecklist: endpoint('PUT /api/admin/update-checklist/{id}', {
    access: 'reviewer',
    body: ChecklistChange,
    json: { bytes: 256 * 1024, entries: checklistLimits.entries },
    reply: z.extend(SuccessReply, { version: z.number() }),
    idempotent: 'path.id',
    summary: 'Change a checklist: a new version',
  }),
  deleteChecklist: endpoint('DELETE /api/admin/checklists/{id}', {
    access: 'reviewer',
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
    body: DeletionReason,
    json: { bytes: 16 * 1024 },
    summary: 'Delete a submitted checklist; the reason is optional',
  }),
  getSubmissionPdf: endpoint('GET /api/submission-pdf/{id}', {
    ...pdfOptions,
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
    reply: DueChecks,
    summary: "Today's checks in the user's parks, and the places that are ready to open",
  }),
  listComingChecks: endpoint('GET /api/coming-checks', {
    query: ComingQuery,
    reply: ComingChecks,
    summary: 'The checks of a park in the next 4 weeks, and in 12 months what is rarer than monthly',
  }),
  listSchedules: endpoint('GET /api/admin/schedules', {
    access: 'reviewer',
    reply: z.array(Schedule),
    summary: 'The schedules of checklists',
  }),
  createSchedule: endpoint('POST /api/admin/schedules', {
    access: 'reviewer',
    body: NewSchedule,
    json: scheduleJsonLimits,
    ...created,
    summary: 'Schedule a checklist',
  }),
  updateSchedule: endpoint('PUT /api/admin/schedules/{id}', {
    access: 'reviewer',
    body: ScheduleChange,
    json: scheduleJsonLimits,
    idempotent: 'path.id',
    summary: 'Change a schedule: checks that were due stay unchanged',
  }),
  endSchedule: endpoint('DELETE /api/admin/schedules/{id}', {
    access: 'reviewer',
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
    ...created,
    summary: 'Close a park on some days: no checks are due there',
  }),
  deleteClosure: endpoint('DELETE /api/admin/park-closures/{id}', {
    access: 'reviewer',
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
    ...created,
    summary: 'Create an audit folder',
  }),
  getFolder: endpoint('GET /api/audit-folders/{id}', { reply: Folder, summary: 'One audit folder' }),
  updateFolder: endpoint('PUT /api/audit-folders/{id}', {
    body: FolderChange,
    json: { bytes: 16 * 1024 },
    idempotent: 'path.id',
    summary: 'Change an audit folder',
  }),
  deleteFolder: endpoint('DELETE /api/audit-folders/{id}', {
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
    summary:
      "The audits of the user's parks in a state: open (if missing), verify, completed or all; with words, and with mine=yes only the user's",
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
    ...created,
    summary: 'Add a note to an audit, completed or not',
  }),
  verifyAudit: endpoint('POST /api/audits/{id}/verification', {
    body: NewVerification,
    json: { bytes: 64 * 1024 },
    reply: VerificationReply,
    status: 201,
    idempotent: 'reply.id',
    summary: 'Verify a completed audit: whether what was done works; if not, a follow-up audit is created',
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
    summary: "The telephone numbers for urgent hazards at the user's parks, where set",
  }),
  createAudit: endpoint('POST /api/audits', {
    body: NewAudit,
    json: { bytes: 128 * 1024 },
    reply: NewAuditReply,
    status: 201,
    idempotent: 'reply.id',
    forAnotherUser: true,
    isHeavy: true,
    summary: "Create an audit, or report a hazard: an audit in its park's folder 'Hazards'",
  }),
  getAudit: endpoint('GET /api/audits/{id}', { reply: Audit, summary: 'One audit, with its place' }),
  updateAudit: endpoint('PUT /api/audits/{id}', {
    body: AuditChange,
    json: { bytes: 128 * 1024 },
    reply: Audit,
    idempotent: 'path.id',
    forAnotherUser: true,
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
  deleteAudit: endpoint('DELETE /api/audits/{id}', { summary: 'Delete an audit' }),
  getAuditPdf: endpoint('GET /api/audit-pdf/{id}', {
    reply: 'pdf',
    perMinute: 20,
    isHeavy: true,
    summary: 'An audit as PDF',
  }),

  // Investigations
  listInvestigations: endpoint('GET /api/investigations', {
    access: 'reviewer',
    query: z.object({ of: z.optional(z.string()) }),
    reply: z.array(ListedInvestigation),
    isHeavy: true,
    summary: 'The investigations, newest first, or the one that covers a report or audit',
  }),
  createInvestigation: endpoint('POST /api/investigations', {
    access: 'reviewer',
    body: NewInvestigation,
    ...created,
    summary: 'Start an investigation from a report, an audit or a message of a guest',
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
    idempotent: 'path.id',
    summary: 'Save one section of an investigation, unless someone else has saved it since',
  }),
  coverReport: endpoint('PUT /api/investigations/{id}/reports', {
    access: 'reviewer',
    body: ReportCoverage,
    reply: Investigation,
    summary: 'Add a report to an investigation, or take one out',
  }),
  addInvestigationNote: endpoint('POST /api/investigations/{id}/notes', {
    access: 'reviewer',
    body: NewInvestigationNote,
    json: { bytes: 32 * 1024 },
    ...created,
    summary:
      'Complete or confirm the findings, waive an action, say why a cause needs none, add a correction, or release a copy',
  }),
  deleteInvestigation: endpoint('DELETE /api/investigations/{id}', {
    access: 'reviewer',
    summary: 'Delete an investigation; its actions stay',
  }),
  getInvestigationPdf: endpoint('GET /api/investigation-pdf/{id}', {
    ...pdfOptions,
    summary: 'An investigation as PDF',
  }),
  getRepresentativeCopy: endpoint('GET /api/investigations/{id}/representative-copy', {
    ...pdfOptions,
    summary: 'The copy for safety representatives that a reviewer released last, as PDF',
  }),

  // Messages of guests
  listMessages: endpoint('GET /api/messages', {
    access: 'reviewer',
    query: MessageQuery,
    reply: z.array(ListedMessage),
    isHeavy: true,
    summary:
      "The open messages of guests at the user's parks: someone was hurt, urgent kinds, others. Many of one label, network and hour are one row, whose `group` lists them; with closed=1 the last closed ones",
  }),
  getMessage: endpoint('GET /api/messages/{id}', {
    access: 'reviewer',
    reply: Message,
    summary: 'One message of a guest; the first opening marks it as read',
  }),
  closeMessage: endpoint('POST /api/messages/{id}/closing', {
    access: 'reviewer',
    body: MessageClosing,
    idempotent: 'path.id',
    summary: 'Close a message of a guest, with a sentence for its sender',
  }),
  closeMessages: endpoint('POST /api/message-closings', {
    access: 'reviewer',
    body: MessagesClosing,
    json: { bytes: 2 ** 20 },
    reply: MessagesReply,
    idempotent: 'noRecord',
    summary: 'Close up to 100 messages of guests; those about someone who was hurt with a reason each',
  }),
  markJunk: endpoint('POST /api/message-junk', {
    access: 'reviewer',
    body: MessageIds,
    reply: MessagesReply,
    idempotent: 'noRecord',
    summary: 'Close up to 100 messages of guests as junk, which is deleted after 30 days',
  }),
  undoJunk: endpoint('POST /api/message-junk-undo', {
    access: 'reviewer',
    body: MessageIds,
    reply: MessagesReply,
    idempotent: 'noRecord',
    summary: 'Open messages again that were closed as junk',
  }),
  removeMessagePhoto: endpoint('POST /api/messages/{id}/photo-removal', {
    access: 'admin',
    body: PhotoRemoval,
    summary: 'Delete a photo of a message of a guest at once',
  }),

  // Lessons
  listLessons: endpoint('GET /api/lessons', {
    access: 'reviewer',
    reply: z.array(ListedLesson),
    summary: 'The lessons, newest first, and which parks have not answered',
  }),
  createLesson: endpoint('POST /api/lessons', {
    access: 'reviewer',
    body: NewLesson,
    json: { bytes: 64 * 1024 },
    ...created,
    isHeavy: true,
    summary: 'Create a lesson, with an audit at each of its parks; 409 if its texts show which event it is about',
  }),
  getLesson: endpoint('GET /api/lessons/{id}', {
    access: 'reviewer',
    reply: Lesson,
    summary: 'A lesson with the answers of its parks',
  }),
  getLessonPdf: endpoint('GET /api/lesson-pdf/{id}', {
    ...pdfOptions,
    summary: 'A lesson as PDF of one page',
  }),

  // Users
  listUsers: endpoint('GET /api/admin/users', { access: 'reviewer', reply: z.array(User), summary: 'The users' }),
  listRoles: endpoint('GET /api/admin/roles', {
    access: 'reviewer',
    reply: z.array(Role),
    summary: 'The roles that the user may assign',
  }),
  searchEverything: endpoint('POST /api/search', {
    body: SearchWords,
    reply: z.array(Found),
    isHeavy: true,
    summary: 'What the user may read that matches: a few records of each kind, places, checklists and people',
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
    changesSignIn: true,
    body: NewUser,
    ...created,
    reply: NewUserReply,
    perMinute: 30,
    summary: 'Create a user, with a password or a one-time password',
  }),
  deleteUser: endpoint('DELETE /api/admin/users/{id}', {
    access: 'reviewer',
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: 'Delete a user and end their sessions',
  }),
  updateUserDetails: endpoint('PUT /api/admin/users/{id}/details', {
    access: 'admin',
    changesSignIn: true,
    body: UserDetails,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: "Set a user's full name and email address",
  }),
  inviteUser: endpoint('POST /api/users/{id}/invitation', {
    access: 'reviewer',
    changesSignIn: true,
    perMinute: 20,
    invalidId: { status: 400, message: 'Invalid user ID' },
    summary: 'Send a link under which a user who has never signed in chooses a password',
  }),
  acceptInvitation: endpoint('POST /api/invitation', {
    access: 'anyone',
    body: InvitationUse,
    perMinute: 20,
    summary: 'Set the password with the token of an invitation, which this uses up; signs nobody in',
  }),
  assignRole: endpoint('POST /api/admin/assign-role', {
    access: 'reviewer',
    changesSignIn: true,
    body: RoleAssignment,
    summary: "Change a user's role and park",
  }),
  resetPassword: endpoint('POST /api/admin/reset-password', {
    access: 'reviewer',
    needsConfirmation: true,
    body: PasswordReset,
    reply: z.object({ success: z.literal(true), password: z.string() }),
    perMinute: 10,
    summary: 'Set a one-time password for a user',
  }),
  checkUserImport: endpoint('POST /api/admin/check-import', {
    access: 'reviewer',
    body: UserImport,
    json: { bytes: 256 * 1024 },
    reply: UserImportCheck,
    perMinute: 20,
    isHeavy: true,
    summary: 'What the import of a CSV file of users would do; creates nobody',
  }),
  importUsers: endpoint('POST /api/admin/import-users', {
    access: 'reviewer',
    changesSignIn: true,
    body: UserImport,
    json: { bytes: 256 * 1024 },
    reply: z.extend(CreatedUsers, { success: z.literal(true) }),
    status: 201,
    perMinute: 5,
    isHeavy: true,
    summary: 'Create many users from a CSV file, each with a one-time password',
  }),

  // Exports
  exportReports: endpoint('GET /api/export/reports', {
    ...exportOptions,
    query: ReportExportQuery,
    summary: 'The reports as CSV or XLSX',
  }),
  exportSubmissions: endpoint('GET /api/export/submissions', {
    ...exportOptions,
    query: SubmissionExportQuery,
    summary:
      'The submitted checklists as CSV or XLSX: for one title with answers as columns, otherwise one row per answer',
  }),
  exportAudits: endpoint('GET /api/export/audits', {
    ...exportOptions,
    query: AuditExportQuery,
    summary: "The audits of the user's parks as CSV or XLSX",
  }),
  exportInvestigations: endpoint('GET /api/export/investigations', {
    ...exportOptions,
    query: ExportQuery,
    summary: 'The investigations as CSV or XLSX',
  }),
  exportUsers: endpoint('GET /api/export/users', {
    ...exportOptions,
    query: UserExportQuery,
    summary: 'The users as CSV or XLSX',
  }),
  exportChecks: endpoint('GET /api/export/checks', {
    ...exportOptions,
    query: CheckExportQuery,
    summary: 'The scheduled checks whose window has opened, as CSV or XLSX',
  }),
  exportPlaces: endpoint('GET /api/export/places', {
    ...exportOptions,
    query: PlaceExportQuery,
    summary: "The places of the user's parks as CSV or XLSX",
  }),
  exportReadings: endpoint('GET /api/export/readings', {
    ...exportOptions,
    query: ReadingExportQuery,
    summary: 'The numbers that the checks of a place recorded, newest first, as CSV or XLSX',
  }),
  exportMessages: endpoint('GET /api/export/messages', {
    ...exportOptions,
    query: MessageExportQuery,
    summary: "The messages of guests at the user's parks as CSV or XLSX, without their names and contact details",
  }),
  exportActivity: endpoint('GET /api/export/activity', {
    ...exportOptions,
    query: ActivityExportQuery,
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
    summary: 'Mark a notification as read',
  }),
  readAllNotifications: endpoint('POST /api/notifications/read-all', {
    summary: 'Mark all notifications as read',
  }),
  getInputKey: endpoint('GET /api/input-key', {
    notByPin: true,
    reply: z.object({ key: z.string() }),
    summary: 'The key with which a browser encrypts what the user typed and has not sent; not on shared devices',
  }),
  getNotificationSettings: endpoint('GET /api/notification-settings', {
    reply: NotificationSettings,
    summary: 'The kinds and channels the user switched off, and the available channels',
  }),
  saveNotificationSettings: endpoint('PUT /api/notification-settings', {
    body: NotificationSettingsChange,
    json: { bytes: 16 * 1024 },
    summary: 'Switch kinds of notifications on and off by channel',
  }),
  sendTestNotification: endpoint('POST /api/notification-settings/test', {
    reply: z.object({ success: z.literal(true), channels: z.array(z.enum(notificationChannels)) }),
    perMinute: 5,
    summary: 'Send the user a test message by each of their channels',
  }),
  addPushSubscription: endpoint('POST /api/push-subscriptions', {
    body: PushSubscription,
    perMinute: 20,
    summary: 'Subscribe this device to push messages',
  }),
  removePushSubscription: endpoint('POST /api/push-subscriptions/remove', {
    body: PushRemoval,
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

  // System
  getSystem: endpoint('GET /api/admin/system', {
    access: 'adminOfAllParks',
    reply: z.array(SystemLine),
    summary: 'How the server is set up: a line for each part, those that are wrong first',
  }),
  testSystemEmail: endpoint('POST /api/admin/system/tests/email', {
    ...systemTestOptions,
    summary: "Send an email to the user's own address: 5 an hour for a user, 20 for all",
  }),
  testSystemStorage: endpoint('POST /api/admin/system/tests/storage', {
    ...systemTestOptions,
    summary: 'Store, read and delete a file under a random name',
  }),
  testSystemProvider: endpoint('POST /api/admin/system/tests/provider', {
    ...systemTestOptions,
    summary: "Read the single sign-on provider's description of itself",
  }),

  // First steps
  getFirstSteps: endpoint('GET /api/admin/first-steps', {
    access: 'adminOfAllParks',
    reply: FirstSteps,
    summary: 'What to set up before the product is used, with what is done',
  }),
  saveFirstSteps: endpoint('PUT /api/admin/first-steps', {
    access: 'adminOfAllParks',
    notByPin: true,
    body: FirstStepsChange,
    perMinute: 60,
    summary: 'Mark a step, note that the test email arrived, create the first folders, or end the steps for everybody',
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
    summary: 'Restore a deleted item',
  }),
};

export const api: ClientApi<Api> = contract;

export type Api = typeof contract;
export type EndpointName = keyof Api;
