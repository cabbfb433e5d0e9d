// A reviewer sends what a deleted user submitted, and records name both.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { newAudit, newFolder, newReport, photo } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('submissions sent for a deleted user on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

  const deleteUser = (person: TestClient) => admin(api.deleteUser, { params: { id: person.id } });
  const submitForDeletedUser = (reviewer: TestClient, person: TestClient) => ({
    userId: reviewer.id,
    submittedFor: person.id,
  });

  test('reports, checklists and audits sent for a deleted user name the sender and the former user', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await deleteUser(staff);
    const both = `${admin.username} for ${staff.username}`;
    const { id } = await admin(api.submitAccident, {
      body: await newReport(admin),
      ...submitForDeletedUser(admin, staff),
    });
    expect(await admin(api.getReport, { params: { id } })).toMatchObject({ created_by: both });
    const log = await admin(api.listActivity, { query: { q: both, limit: 9 } });
    expect(log).toMatchObject([{ actor: both, action: 'filed' }]);

    const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    const body = { checklistId, data: { 0: '1.4' }, park: 'Lido Beach' as const };
    const submission = await admin(api.submitChecklist, { body, ...submitForDeletedUser(admin, staff) });
    expect(await admin(api.getSubmission, { params: { id: submission.id } })).toMatchObject({ submitted_by: both });

    const folder = await newFolder(admin);
    const audit = await admin(api.createAudit, { body: newAudit(folder), ...submitForDeletedUser(admin, staff) });
    const params = { id: audit.id };
    const completed = await admin(api.updateAudit, {
      params,
      body: { data: { completed: true } },
      ...submitForDeletedUser(admin, staff),
    });
    expect(completed.data.completed_by).toBe(both);
  });

  test('submissions sent for a deleted user are not stored twice if they had already arrived', async () => {
    const staff = await server.as('None', 'Lido Beach');
    const [body, key] = [await newReport(staff), randomUUID()];
    const first = await staff(api.submitAccident, { body, key });
    await deleteUser(staff);
    expect(await admin(api.submitAccident, { body, key, ...submitForDeletedUser(admin, staff) })).toEqual(first);
    const changed = { ...body, details: 'Something else' };
    await expect(
      admin(api.submitAccident, { body: changed, key, ...submitForDeletedUser(admin, staff) }),
    ).rejects.toMatchObject({
      code: 'KEY_REUSED',
      body: { received: { number: first.number } },
    });
  });

  test("only a reviewer can send another user's submissions, and only after that user was deleted", async () => {
    const [staff, colleague] = [await server.as('None', 'Lido Beach'), await server.as('None', 'Lido Beach')];
    const body = await newReport(admin);
    await expect(admin(api.submitAccident, { body, ...submitForDeletedUser(admin, staff) })).rejects.toMatchObject({
      status: 403,
      code: 'NOT_LEFT',
    });
    await deleteUser(staff);
    await expect(
      colleague(api.submitAccident, { body, ...submitForDeletedUser(colleague, staff) }),
    ).rejects.toMatchObject({
      status: 403,
    });
    // An id without an account is recorded as a former user.
    const { id } = await admin(api.submitAccident, { body, userId: admin.id, submittedFor: randomUUID() });
    expect(await admin(api.getReport, { params: { id } })).toMatchObject({
      created_by: `${admin.username} for a former user`,
    });
  });

  test('the header X-Submitted-For is accepted only by endpoints for submissions', async () => {
    const staff = await server.as('None', 'Lido Beach');
    await deleteUser(staff);
    const otherEndpoints = Object.values<Endpoint>(contract).filter(({ forAnotherUser }) => !forAnotherUser);
    for (const { method, path } of otherEndpoints) {
      const headers = { 'x-submitted-for': staff.id };
      const response = await admin.fetch(path.replace(/\{\w+\}/g, 'none'), { method, headers });
      expect([method, path, response.status, await response.json()]).toMatchObject([
        method,
        path,
        400,
        { code: 'NOT_A_SUBMISSION' },
      ]);
    }
    const { id } = await admin(api.createAudit, { body: newAudit(await newFolder(admin)) });
    const change = { params: { id }, body: { title: 'Another' }, ...submitForDeletedUser(admin, staff) };
    await expect(admin(api.updateAudit, change)).rejects.toMatchObject({ status: 400, code: 'NOT_A_SUBMISSION' });
    const file = new Blob([new Uint8Array(await photo())]);
    const upload = { query: {}, body: {}, file, fileName: 'photo.jpg', ...submitForDeletedUser(admin, staff) };
    expect(await admin(api.uploadImage, upload)).toMatchObject({ filePath: expect.any(String) });
  });
});
