// Every form of the product, and how to open it with a record of its own.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { newSchedule, newUsername } from '../src/server/testing/access-records.ts';
import { fractureAnswers } from '../src/server/testing/assessments.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { sendMessage } from '../src/server/testing/messages.ts';
import { setUpApp } from '../src/server/testing/second-step.ts';
import type { TestClient, TestServer } from '../src/server/testing/server.ts';
import { makePinUser, shareDevice } from '../src/server/testing/shared-devices.ts';
import { type FormName, formNames, type Keep, outboxForms } from '../src/web/formNames.ts';
import { openMenu, openMore } from './interactions.ts';
import { signIn } from './server.ts';

/** A button, tab or summary to press by its name, or what else must be done. */
type Step = string | RegExp | ((page: Page) => Promise<unknown>);

export type KeptForm = {
  path: string;
  /** What opens the form. A form with input may be open from the start. */
  press?: Step[];
  /** The dialog of the form, if others on the screen have such fields. */
  dialog?: string;
  /** The label of a field, or of several in which something secret is typed. */
  field: string | RegExp | string[];
  /** What is typed or chosen, unless it may be any text. */
  value?: string;
};

/** The forms of the outbox, which keep their drafts in their own way, on the device. A completion is an audit's edits. */
type OutboxForm = Exclude<keyof typeof outboxForms, 'completion'>;
const otherForms = Object.keys(outboxForms).filter((form) => form !== 'completion') as OutboxForm[];
const namedForms = Object.keys(formNames) as (keyof typeof formNames)[];
export type AnyForm = OutboxForm | keyof typeof formNames;

/** The forms with passwords, PINs or codes, or with a number that is typed to confirm something. */
export const secretForms: AnyForm[] = [
  ...(['appCode', 'recoveryCode', 'email', 'endSessions', 'erasure', 'newUser', 'password', 'retention'] as const),
  // The last leave the page without a session of its user.
  ...(['confirmIdentity', 'invitation', 'secondStep', 'pin', 'newPin'] as const),
];
export const keptForms = [...otherForms, ...namedForms].filter((form) => !secretForms.includes(form));

/** Where a form keeps its input. */
export const getKeep = (form: AnyForm): Keep =>
  form in formNames ? (formNames[form as keyof typeof formNames] as () => FormName)().keep : 'device';

const park = 'Robin Hood';

/** Creates the records of all forms. */
export async function createForms(server: TestServer, admin: TestClient): Promise<Record<AnyForm, KeptForm>> {
  const { db, url } = server;
  const now = new Date().toISOString();
  const setCookie = async (page: Page, cookie: string) => {
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url }]);
  };

  const report = async (changes: object = {}) =>
    admin(api.submitAccident, { body: await newReport(admin, { selectedPlace: park, ...changes }) });
  const reports = [await report(), await report(), await report({ name: 'Heledd Pugh' }), await report()] as const;
  const [first, assessed, old, deleted] = reports;
  await admin(api.saveAssessment, { params: { id: assessed.id }, body: { version: 0, ...fractureAnswers } as never });
  await db
    .updateTable('reports')
    .set({ created_at: '2015-03-14T15:00:00.000Z', date: '2015-03-14' })
    .where('id', '=', old.id)
    .execute();
  await admin(api.deleteReport, { params: { id: deleted.id } });

  const folder = await newFolder(admin, { name: 'Kept', park });
  const audit = await admin(api.createAudit, { body: newAudit(folder) });
  const worker = await server.as('None', park);
  const done = await admin(api.createAudit, { body: newAudit(folder, { verification: {} }) });
  await worker(api.updateAudit, { params: { id: done.id }, body: { data: { completed: true } } });

  const investigation = await admin(api.createInvestigation, { body: { thing: 'report', id: first.id } });
  const { sections } = await admin(api.getInvestigation, { params: { id: investigation.id } });
  const save = (section: 'depth' | 'causes', content: object) =>
    admin(api.saveInvestigationSection, {
      params: { id: sections[section].id },
      body: { section, version: 0, content } as never,
    });
  await save('depth', { worst: 'major', likely: 'possible', level: 'low' });
  await save('causes', { list: [{ id: 11, kind: 'root', heading: 'process', text: 'Nobody looks below' }] });

  const message = await sendMessage(server, {}, { park });
  await sendMessage(server, { words: 'A gate is open' }, { park });

  const section = { title: 'What do you see?', type: 'text' as const, required: false };
  const checklist = async (title: string) =>
    (await admin(api.createChecklist, { body: { title, sections: [section] } })).id;
  await checklist('Fence');
  const scheduled = await checklist('Pool');
  await admin(api.createSchedule, { body: newSchedule(scheduled, park as never) });
  const missed = await checklist('Gate');
  const schedule = await admin(api.createSchedule, { body: newSchedule(missed, park as never) });
  const yesterday = addDays(getToday(), -1);
  await db
    .insertInto('due_checks')
    .values({
      ...{ id: randomUUID(), schedule_id: schedule.id, checklist_id: missed, park, place_id: '', gate: '' },
      ...{ day: yesterday, opens_at: `${yesterday}T05:00:00.000Z`, closes_at: `${yesterday}T06:00:00.000Z` },
      failures: 0,
    } as never)
    .execute();

  const { id: request } = await admin(api.createAccessRequest, {
    body: { name: 'Heledd Pugh', spellings: [], receivedOn: getToday() },
  });
  await db
    .insertInto('waiting_identities')
    .values({ id: randomUUID(), identity_hash: 'waiting', name: 'Nia', email: '', first_at: now, last_at: now })
    .execute();
  await db
    .insertInto('passkeys')
    .values({
      ...{ id: randomUUID(), user_id: admin.id, name: 'Ring', host: 'localhost', credential_id: 'ring' },
      ...{ public_key: '', counter: 0, can_be_backed_up: 0, is_backed_up: 0, is_confirmed: 1 },
      ...{ created_at: now, last_used_at: null },
    })
    .execute();
  await server.createSession(admin.id, admin.username);
  const user = { username: newUsername(), password: 'a walk along the shore', role: 'None' as const, park };
  const { id: userId } = await admin(api.createUser, { body: user as never });
  const withApp = await server.as('None', park);
  await setUpApp(withApp, Date.now);
  const [pinUser, withoutPin] = [await makePinUser(server, park), await server.as('None', park)];
  // Sharing a device signs the user out.
  const device = await shareDevice(await server.as('Admin'), park);

  const useSharedDevice = async (page: Page) => {
    await setCookie(page, device);
    await page.evaluate((park) => {
      localStorage.setItem('shared-device', JSON.stringify({ park, name: 'Lifeguard hut', idleMinutes: 5 }));
    }, park);
    await page.reload();
  };
  const openUserMenu = (name: string) => async (page: Page) => {
    await openMenu(page);
    await page.getByRole('button', { name }).click();
  };
  /** Until a checklist is begun. */
  const choosePark = async (page: Page) => {
    const choice = page.getByRole('combobox', { name: 'Park' });
    await choice.or(page.getByLabel(section.title)).first().waitFor();
    if (await choice.isVisible()) await choice.selectOption('Kingsley');
  };
  const checklists = '/admin?tab=checklists';
  const theInvestigation = `/investigations/${investigation.id}`;
  const theRequest = `/admin/records?tab=access&request=${request}`;
  const lastDay = { field: 'Last day (optional)', value: '2098-12-31' };
  const riddor = (id: string) => ({ path: `/get-reports?report=${id}` });

  return {
    accident: { path: '/reporting', field: 'Details' },
    incident: { path: '/reporting?tab=incident', field: 'Details' },
    standaloneAccident: { path: '/accidentreporting', field: 'Details' },
    standaloneIncident: { path: '/incidentreporting', field: 'Details' },
    hazard: { path: '/report-hazard', field: 'What is wrong? (optional)' },
    newAudit: { path: `/create-audit/${folder}`, field: 'Description' },
    checklist: { path: '/checklists', press: [/Fence/, choosePark], field: section.title },

    auditEdits: { path: `/audit/${audit.id}`, press: ['Edit'], field: 'Description' },
    checklistEditors: { path: checklists, press: ['New Checklist'], field: 'Checklist title' },
    newFolder: { path: '/audits', press: ['New Folder'], dialog: 'New Folder', field: 'Name' },
    editedFolder: { path: '/audits', press: ['Edit Kept'], dialog: 'Edit Folder', field: 'Name' },
    verification: { path: `/audit/${done.id}`, field: 'What you saw' },

    accessChoices: { path: theRequest, field: 'Send redacted' },
    accessExtension: { path: theRequest, field: 'Why two more months are needed' },
    accessRequest: { path: '/admin/records?tab=access', field: 'Other spellings' },
    assessment: { ...riddor(first.id), press: ['RIDDOR', 'Accident Book'], field: 'Occupation' },
    auditFrom: { path: `/messages/${message.id}`, press: ['Create Audit'], field: 'Description' },
    auditNote: { path: `/audit/${audit.id}`, press: ['Write a Note'], field: 'Note' },
    closedDays: { path: checklists, press: ['Closed Days'], field: 'First day closed', value: '2099-12-25' },
    closeMessage: { path: `/messages/${message.id}`, press: ['Close Message'], field: 'Report number (optional)' },
    closeMessages: { path: '/messages', press: ['Select', 'Choose All Shown', 'Close'], field: 'Reason (optional)' },
    coveredReport: { path: theInvestigation, field: 'Add another report' },
    decision: { ...riddor(assessed.id), press: ['RIDDOR'], field: 'Reason' },
    hold: { path: '/admin/records?tab=holds', field: 'Reason' },
    identity: { path: '/admin?tab=users', press: ['Let In Nia'], field: 'User', value: userId },
    investigationAction: { path: theInvestigation, press: [/^Add an action: /], field: 'Title' },
    investigationNote: { path: theInvestigation, press: [/^No action needed: /], field: /no action, because$/ },
    lesson: { path: '/lessons/new', field: 'Title' },
    missedCheck: { path: `/checks?state=missed&park=${park}`, press: [/^Add Reason: Gate/], field: 'Reason' },
    newPasskey: { path: '/second-factors', press: ['Add a Passkey'], field: 'Name' },
    newPlace: { path: `/admin/places?park=${park}`, field: 'New place' },
    newSchedule: { path: checklists, press: ['Schedule Fence'], ...lastDay },
    notice: { ...riddor(assessed.id), press: ['RIDDOR', 'I Have Reported It'], field: 'Note' },
    pack: { path: '/get-reports', press: [openMore, 'Make Pack'], field: 'Who is it for?' },
    allParkSettings: {
      ...{ path: '/admin/parks', press: ['Fill In All Parks'] },
      field: `Telephone number for urgent hazards: ${park}`,
    },
    parkSettings: {
      ...{ path: '/admin/parks', press: [new RegExp(`^${park}`)] },
      field: 'Telephone number for urgent hazards',
    },
    passkey: { path: '/second-factors', press: ['Rename passkey Ring'], field: 'Name' },
    place: { path: `/admin/places?park=${park}`, press: ['Lido'], field: 'Name' },
    release: { path: '/admin/deleted', press: [`Release report ${deleted.number}`], field: 'Reason' },
    schedule: { path: checklists, press: ['Schedule Pool', /^Edit Every day/], ...lastDay },
    section: { path: theInvestigation, field: 'What was done at once to make it safe' },
    sharedDevice: { path: '/admin/devices', press: ['Use This Device at One Park'], field: 'Name of the device' },
    userDetails: {
      path: `/admin?tab=users&person=${user.username}`,
      press: [`More for ${user.username}`, `Edit Name and Email of ${user.username}`],
      ...{ dialog: `Edit Name and Email of ${user.username}`, field: 'Full name (optional)' },
    },

    appCode: { path: '/second-factors', press: ['Set Up'], field: 'Code that the app shows' },
    recoveryCode: { path: '/second-factors', press: ['New Recovery Codes'], field: /^Type one of the codes/ },
    email: {
      ...{ path: '/notification-settings', press: ['Add Email Address'] },
      field: ['New email address', 'Current password'],
    },
    endSessions: { path: '/sessions', press: ['Sign Out All Others'], field: 'Current password' },
    erasure: {
      path: theRequest,
      press: ['Erase the name in records that are kept'],
      field: /^Type how many you ticked/,
    },
    newUser: { path: '/admin?tab=users', field: ['Username', 'Password'] },
    password: {
      ...{ path: '/reporting', press: [openUserMenu(admin.username), 'Change Password'] },
      field: ['Current password', 'New password'],
    },
    retention: { path: '/admin/records', field: /^Type how many you ticked/ },
    confirmIdentity: {
      path: '/second-factors',
      press: [
        () => db.updateTable('sessions').set({ confirmed_at: '' }).where('user_id', '=', admin.id).execute(),
        'Remove passkey Ring',
        'Remove',
      ],
      field: ['Current password', 'Recovery code'],
    },
    invitation: { path: '/invitation#token', field: 'New password' },
    secondStep: {
      path: '/login',
      press: [
        (page) =>
          page
            .context()
            .clearCookies()
            .then(() => page.reload()),
        (page) => signIn(page, withApp.username),
      ],
      field: 'Code from your app',
    },
    pin: {
      path: '/login',
      press: [useSharedDevice, pinUser.username],
      field: 'PIN',
    },
    newPin: {
      path: '/login',
      press: [
        (page) => setCookie(page, withoutPin.cookie).then(() => page.goto('/reporting')),
        openUserMenu(withoutPin.username),
        'Choose a PIN',
      ],
      field: ['Current password', 'New PIN'],
    },
  };
}
