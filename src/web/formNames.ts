// The names of all forms, and where the browser keeps what is typed into those that send a request at once. What is
// typed belongs to a name, so two forms with one name would share it: each name is made by a function of these lists.

/**
 * Where input is kept when the page is closed. `device`: readable, for forms that work offline and on shared devices.
 * `sealed`: encrypted with a key that only a session of the user gets. `nothing`: nowhere.
 */
export type Keep = 'device' | 'sealed' | 'nothing';

export type FormName<K extends Keep = Keep> = { readonly name: string; readonly keep: K };

const kept =
  <K extends Keep>(keep: K) =>
  <Ids extends string[] = string[]>(toName: (...ids: Ids) => string) =>
  (...ids: Ids): FormName<K> => ({ name: toName(...ids), keep });

const onDevice = kept('device');
const sealed = kept('sealed');
const unkept = kept('nothing');

export const formNames = {
  auditEdits: onDevice((auditId) => `audit/${auditId}`),
  checklistEditors: onDevice(() => 'checklists'),
  editedFolder: onDevice((folderId) => `folder/${folderId}`),
  newFolder: onDevice(() => 'new folder'),
  verification: onDevice((auditId) => `verification/${auditId}`),

  accessChoices: sealed((requestId) => `choices of ${requestId}`),
  accessExtension: sealed((requestId) => `extension of ${requestId}`),
  accessRequest: sealed(() => 'new access request'),
  assessment: sealed((reportId) => `assessment of ${reportId}`),
  auditFrom: sealed((sourceId) => `audit from ${sourceId}`),
  auditNote: sealed((auditId) => `note on ${auditId}`),
  closedDays: sealed(() => 'closed days'),
  closeMessage: sealed((messageId) => `close message ${messageId}`),
  closeMessages: sealed((messageIds) => `close messages ${messageIds}`),
  coveredReport: sealed((investigationId) => `report for ${investigationId}`),
  decision: sealed((reportId) => `decision on ${reportId}`),
  hold: sealed(() => 'new hold'),
  identity: sealed((identityId) => `let in ${identityId}`),
  investigationAction: sealed((investigationId, about) => `action of ${investigationId} ${about}`),
  investigationNote: sealed((kind, investigationId, about) => `${kind} ${investigationId} ${about}`),
  lesson: sealed((investigationId) => `lesson ${investigationId}`),
  missedCheck: sealed((checkId) => `reason of check ${checkId}`),
  newPasskey: sealed(() => 'passkey'),
  newPlace: sealed((park) => `new place of ${park}`),
  newSchedule: sealed((checklistId) => `schedule/new ${checklistId}`),
  notice: sealed((reportId) => `notice of ${reportId}`),
  pack: sealed(() => 'pack'),
  allParkSettings: sealed(() => 'settings of all parks'),
  parkSettings: sealed((park) => `settings of ${park}`),
  passkey: sealed((passkeyId) => `passkey ${passkeyId}`),
  place: sealed((placeId) => `place ${placeId}`),
  release: sealed((deletionId) => `release ${deletionId}`),
  schedule: sealed((scheduleId) => `schedule/${scheduleId}`),
  section: sealed((sectionId) => `section ${sectionId}`),
  sharedDevice: sealed(() => 'share this device'),
  userDetails: sealed((userId) => `details of user ${userId}`),

  // With passwords, PINs or codes, or with a number that is typed to confirm something.
  appCode: unkept(() => 'app code'),
  confirmIdentity: unkept(() => 'confirm identity'),
  email: unkept(() => 'email address'),
  endSessions: unkept(() => 'session'),
  erasure: unkept((requestId) => `erase a name ${requestId}`),
  newPin: unkept(() => 'new PIN'),
  newUser: unkept(() => 'new user'),
  invitation: unkept(() => 'invitation'),
  password: unkept(() => 'password'),
  pin: unkept((userId) => `PIN of ${userId}`),
  recoveryCode: unkept(() => 'recovery code'),
  retention: unkept((listHash) => `retention ${listHash}`),
  secondStep: unkept(() => 'second step'),
};

/** The forms that are submitted through the outbox: names of drafts, and of what waits on a device. */
export const outboxForms = {
  accident: () => 'accident',
  incident: () => 'incident',
  standaloneAccident: () => 'standalone-accident',
  standaloneIncident: () => 'standalone-incident',
  /** Without a place for the park as a whole. */
  checklist: (checklistId: string, placeId?: string | null) =>
    `checklist/${checklistId}${placeId == null ? '' : `/${placeId}`}` as const,
  completion: (auditId: string) => `audit/${auditId}` as const,
  hazard: () => 'report-hazard',
  newAudit: (folderId: string) => `create-audit/${folderId}` as const,
} satisfies Record<string, (...ids: string[]) => string>;

export type OutboxForm = ReturnType<(typeof outboxForms)[keyof typeof outboxForms]>;

/** The names under which earlier versions kept input, each with a function that returns today's name. */
export const earlierNames = {
  folder: ({ folder }: { folder?: { id: string } }) => formNames.editedFolder(folder?.id ?? '').name,
};

/** Forms with many photos, which are read when the form is opened. */
const readWhenOpened: unknown[] = [formNames.auditEdits];

/**
 * The other forms that are kept on the device, which may be open when the page is. Without their id, which is last, their
 * names are how they start.
 */
const namesAtStart = (Object.values(formNames) as ((id: string) => FormName)[])
  .filter((toName) => toName('').keep === 'device' && !readWhenOpened.includes(toName))
  .map((toName) => ({ start: toName('').name, hasId: toName('id').name !== toName('').name }));

/** Whether a draft with this name is the input of such a form. Other forms have drafts too. */
export const isBroughtBackAtStart = (name: string) =>
  namesAtStart.some(({ start, hasId }) => (hasId ? name.startsWith(start) : name === start));
