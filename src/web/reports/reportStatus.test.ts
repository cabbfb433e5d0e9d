import { describe, expect, test } from 'vitest';
import type { OutboxItem, SendError } from '../outbox/items.ts';
import type { SubmissionState } from '../outbox/useSubmission.ts';
import { getReportStatus } from './reportStatus.ts';
import { variants } from './variants.ts';

const item = { files: [] as OutboxItem['files'] } as OutboxItem;
const refusedError: SendError = { step: 'submit', status: 418, code: '', message: '', text: 'no tea', fields: {} };
const refused = (error: Partial<SendError>): SubmissionState => ({
  phase: 'refused',
  item,
  error: { ...refusedError, ...error },
});
const submitAgainText = 'Check the report and submit it again: everything you entered is still here.';

describe('the submission message of a report form', () => {
  test.each([
    [variants.accident, 'Error: Network response was not ok: no tea'],
    [variants.incident, 'Error: Network response was not ok: no tea'],
    [variants.standaloneAccident, 'Error submitting report: Server error: no tea'],
    [variants.standaloneIncident, 'Error submitting report: Server error: no tea'],
  ])('a rejected report shows the error message of the form $id', (variant, text) => {
    expect(getReportStatus(refused({}), variant)).toEqual({ kind: 'error', text, hint: submitAgainText });
  });

  test("a rejected report shows the server's message, else the response's text, else its HTTP status", () => {
    const getText = (error: Partial<SendError>) => getReportStatus(refused(error), variants.accident)?.text;
    expect(getText({ message: 'Too late.' })).toBe('Error: Network response was not ok: Too late.');
    expect(getText({ text: '' })).toBe('Error: Network response was not ok: 418');
    expect(getText({ text: '', status: 0 })).toMatch(/: The server could not be reached\.$/);
  });

  test.each([
    ['photo', 'Error processing files. Please try again.', 'Error uploading image: 418 no tea'],
    ['signature', 'Failed to upload your signature. Please try again.', 'Error uploading signature: 418 no tea'],
    [
      'affectedUserSignature',
      'Failed to upload affected party signature. Please try again.',
      'Error uploading signature: 418 no tea',
    ],
  ] as const)('the status of a report names a failed %s and the reason', (step, text, reason) => {
    const status = { kind: 'error', text, hint: submitAgainText, details: reason };
    expect(getReportStatus(refused({ step }), variants.accident)).toEqual(status);
  });

  test('the status of a report says which of several photos failed', () => {
    const photo = { key: '', slot: 'photo' as const, type: 'image/jpeg', size: 1 };
    const files = ['one.jpg', 'two.jpg'].map((name) => ({ ...photo, id: name, name }));
    const error = { ...refusedError, step: 'photo' as const, file: 'two.jpg', message: 'Not an image' };
    const submission: SubmissionState = { phase: 'refused', item: { ...item, files }, error };
    expect(getReportStatus(submission, variants.accident)?.hint).toBe(
      `Photo 2 (two.jpg): Not an image. ${submitAgainText}`,
    );
  });

  test('the submission message shortens a long error response', () => {
    const { details } = getReportStatus(refused({ step: 'photo', text: 'x'.repeat(200) }), variants.accident) ?? {};
    expect(details).toBe(`Error uploading image: 418 ${'x'.repeat(100)}`);
  });

  test('the status of a report that only this page has says to submit it again', () => {
    const error: SendError = { ...refusedError, step: 'photo', status: 0, text: '' };
    expect(getReportStatus({ phase: 'retrying', item, error, isStored: false }, variants.accident)?.hint).toBe(
      'Submit it again before you leave this screen: everything you entered is still here.',
    );
  });

  test('a report that was sent, or waits for a connection, shows the success message of its form', () => {
    const saved = getReportStatus({ phase: 'saved', item }, variants.incident);
    expect(saved).toMatchObject({
      kind: 'success',
      text: expect.stringContaining('It will be sent when you are back'),
    });
    const sent = { phase: 'sent', receipt: {} } as SubmissionState;
    expect(getReportStatus(sent, variants.incident)?.text).toBe('Incident report submitted successfully!');
    expect(getReportStatus(sent, variants.standaloneAccident)?.text).toBe('Accident report submitted successfully!');
    expect(getReportStatus({ phase: 'none' }, variants.accident)).toBeUndefined();
  });
});
