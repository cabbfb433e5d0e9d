import { describe, expect, test } from 'vitest';
import { getAuditStatus, getCompletionStatus, getHazardStatus } from '../audits/auditStatus.ts';
import { getChecklistStatus } from '../checklists/checklistStatus.ts';
import { getReportStatus } from '../reports/reportStatus.ts';
import { variants } from '../reports/variants.ts';
import type { OutboxItem, SendError } from './items.ts';
import type { SubmissionState } from './useSubmission.ts';

const item = { files: [] as OutboxItem['files'] } as OutboxItem;
const sendError: SendError = { step: 'submit', status: 500, code: '', message: '', text: '', fields: {} };
const retrying = (error: Partial<SendError>, isStored = true): SubmissionState => ({
  phase: 'retrying',
  item,
  error: { ...sendError, ...error },
  isStored,
});
const refused = (error: Partial<SendError>): SubmissionState => ({
  phase: 'refused',
  item,
  error: { ...sendError, status: 422, ...error },
});
const keptText = 'It is kept on this device and is sent again by itself. You need not press again.';
const gatewayPage = `<html><head><style>h1 { color: red }</style></head><body><h1>502 Bad Gateway</h1>${'x'.repeat(200)}`;

/** How each form describes a submission, and its specified text for the response `trouble`. */
const forms: [string, (submission: SubmissionState) => ReturnType<typeof getHazardStatus>, string][] = [
  ...(['accident', 'incident', 'standaloneAccident', 'standaloneIncident'] as const).map(
    (name) =>
      [
        name,
        (submission: SubmissionState) => getReportStatus(submission, variants[name]),
        name.startsWith('standalone')
          ? 'Error submitting report: Server error: trouble'
          : 'Error: Network response was not ok: trouble',
      ] as [string, (submission: SubmissionState) => ReturnType<typeof getHazardStatus>, string],
  ),
  ['checklist', getChecklistStatus, 'Failed to submit checklist. Please try again.'],
  ['audit', (submission) => getAuditStatus(submission, true), 'Failed to create audit. Please try again.'],
  ['completion', getCompletionStatus, 'Failed to mark audit as completed'],
  ['hazard', getHazardStatus, 'The hazard could not be sent.'],
];

describe.each(forms)('a failed submission of the form %s', (_, getStatus, text) => {
  test.each([400, 408, 429, 500, 502, 507])(
    'that the device sends again after the status %i shows the specified text, then that it is kept',
    (status) =>
      expect(getStatus(retrying({ status, text: 'trouble' }))).toMatchObject({
        kind: 'error',
        text,
        alsoText: keptText,
      }),
  );

  test('without a response only says that it is saved on this device', () => {
    // The list of checklists says that one is saved.
    expect(getStatus({ phase: 'saved', item })).toEqual(
      getStatus === getChecklistStatus
        ? undefined
        : { kind: 'success', text: 'Saved on this device. It will be sent when you are back online.' },
    );
    // An error of the device itself, before anything was sent
    expect(getStatus(retrying({ status: -1, message: 'UnknownError' }))).toEqual({
      kind: 'success',
      text: 'Saved on this device. It will be tried again.',
    });
  });

  test('that only this page has, or that the server rejected, is not called kept', () => {
    for (const failure of [retrying({ text: 'trouble' }, false), refused({ text: 'trouble' })])
      expect(getStatus(failure)?.alsoText).toBeUndefined();
  });
});

test.each(['signature', 'affectedUserSignature', 'photo'] as const)(
  'a report whose %s could not be uploaded is kept too',
  (step) =>
    expect(getReportStatus(retrying({ step, status: 500 }), variants.accident)).toMatchObject({ alsoText: keptText }),
);

test.each<[string, Partial<SendError>, string]>([
  ['the text of a page', { text: gatewayPage }, `502 Bad Gateway ${'x'.repeat(84)}`],
  ['the first 100 characters of a message', { message: 'y'.repeat(200) }, 'y'.repeat(100)],
  ['no half of an emoji', { message: `${'y'.repeat(99)}🦺🦺` }, `${'y'.repeat(99)}🦺`],
  ['the words of a message that looks like a page', { message: 'Age < 5 or > 120' }, 'Age < 5 or > 120'],
  ['the status of a page without text', { text: '<html><body></body></html>' }, '500'],
])('the line shows %s', (_, error, reason) => {
  const { text, details } = getReportStatus(retrying(error), variants.accident) ?? {};
  expect(text).toBe(`Error: Network response was not ok: ${reason}`);
  expect(details).toBe(error.message && error.message !== reason ? error.message : undefined);
});

test("a checklist, audit or completion that is sent again has the server's reason in the details", () => {
  for (const getStatus of [getChecklistStatus, getHazardStatus, getCompletionStatus])
    expect(getStatus(retrying({ message: 'Disk full.' }))).toMatchObject({ alsoText: keptText, details: 'Disk full.' });
});

test('an input that the server rejects because it has another one from the same form can be sent again or deleted', () => {
  const error = { code: 'KEY_REUSED', message: 'This was already received on 22/11/2026 at 14:02.' };
  for (const getStatus of [getChecklistStatus, getHazardStatus])
    expect(getStatus(refused(error))).toMatchObject({
      kind: 'error',
      hint: `${error.message} What you entered here may be different and was not sent. Send it again to add it as another one, or delete it in the Outbox.`,
    });
});
