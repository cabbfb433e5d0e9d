import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import type { Choice } from '#shared/people/access-requests.ts';
import { unzip } from '../testing/documents.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { insertRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { addFiles } from './zip.ts';

describe.each(engines)('copies for access requests on %s', { timeout: 120_000 }, (engine) => {
  const folder = createTestFolder();
  const { server, admin } = createTestServer(engine, { RATE_SCALE: '100' });

  const listTemporary = () => readdirSync(join(server.folder, 'temporary'));
  /** Lists files that were deleted while they were open: their space is free once they are closed. */
  const listOpenFiles = () =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${fd}`);
        return path.startsWith(join(server.folder, 'temporary')) ? [path] : [];
      } catch {
        return []; // closed while the folder was read
      }
    });

  /** Opens a request, and decides about every record that names the person. */
  async function decide(name: string, choose: (at: number) => Omit<Choice, 'id'> = () => ({ choice: 'send' })) {
    const { id } = await admin(api.createAccessRequest, { body: { name, spellings: [], receivedOn: '2026-01-31' } });
    const params = { id };
    const { hits } = await admin(api.getAccessRequest, { params });
    const choices = hits.map(({ id }, at) => ({ id, ...choose(at) }));
    await admin(api.saveAccessChoices, { params, body: { version: 1, choices } });
    return { params, hits };
  }

  const unpackCopy = async (params: { id: string }) => unzip(await admin(api.getAccessZip, { params }), folder);

  const insertFolders = async (name: string, count: number) => {
    const rows = Array.from({ length: count }, (_, at) => `${name} ${at}`);
    const row = { park: 'Mounds', created_by: admin.id, version: 1 };
    await insertRows(
      server.db,
      'folders',
      rows.map((id) => ({ ...row, id, name: id })),
    );
  };

  test('the copy of an audit shows the full name of its verifier', async () => {
    const verifier = await server.as('Health & Safety Manager');
    const user = server.db.updateTable('users').set({ full_name: 'Huw Verifier' }).where('id', '=', verifier.id);
    const { username } = await user.returning('username').executeTakeFirstOrThrow();
    const verification = { days: 7, verifier: username };
    const audit = { ...newAudit(await newFolder(admin)), title: 'Cadi Quillfeather’s step', verification };
    await admin(api.createAudit, { body: audit });
    const { params } = await decide('Cadi Quillfeather');
    const { readText } = await unpackCopy(params);
    const [copied] = JSON.parse(readText('data.json'));
    expect(copied.record.audit.verification.verifier).toBe('Huw Verifier');
  });

  test('a person with more than 500 records gets a copy with the hash of each file, and nothing is left on the disk', async () => {
    await insertFolders('Angharad Lewis', 501);
    // Some of them only: 501 PDFs take 10 seconds of CPU time.
    const sentEvery = engine === 'sqlite' ? 20 : 100;
    const { params, hits } = await decide('Angharad Lewis', (at) =>
      at % sentEvery === 0 ? { choice: 'send' } : { choice: 'leave', because: 'It is about another person' },
    );
    expect(hits).toHaveLength(501);
    const sent = hits.filter((_, at) => at % sentEvery === 0);
    const { target, readText } = await unpackCopy(params);
    expect(readdirSync(target).sort()).toEqual(['data.json', 'index.pdf', 'records', 'sha256.txt']);
    const records = readdirSync(join(target, 'records'));
    expect(records).toHaveLength(sent.length);
    expect(JSON.parse(readText('data.json'))).toMatchObject(sent.map(({ label }) => ({ what: 'folder', name: label })));
    expect(readText('sha256.txt').trim().split('\n')).toHaveLength(sent.length + 2);
    execFileSync('sha256sum', ['--check', '--status', 'sha256.txt'], { cwd: target });
    expect([listTemporary(), listOpenFiles()]).toEqual([[], []]);
  });

  test('the request timeout starts again with each record of a copy', async () => {
    const restartTimeout = vi.fn();
    const { signal } = new AbortController();
    const pdf = { render: async () => ({ pdf: Buffer.from('') }) };
    const hit = { id: 'folder:1', thing: 'folder', label: 'Gate', isPossible: false };
    const record = { hit: { ...hit, where: [], others: [], texts: [], images: [] }, choice: { id: hit.id } };
    await addFiles(
      { db: server.db, pdf, signal, restartTimeout } as never,
      async () => 0,
      { name: 'Angharad Lewis', received_on: '2026-01-31', id: '' } as never,
      { name: 'Angharad Lewis', spellings: [], number: '', username: '' },
      Array(3).fill(record),
      [],
      admin.id,
      new Date(),
    );
    expect(restartTimeout).toHaveBeenCalledTimes(3);
  });

  test('a copy whose receiver goes away is deleted, while it is made and while it is sent', async () => {
    await insertFolders('Bethan Vaughan', 20);
    const { params } = await decide('Bethan Vaughan');
    const leave = new AbortController();
    const url = endpointUrl(api.getAccessZip, { params });
    const making = admin.fetch(url, { signal: leave.signal });
    await expect.poll(listTemporary, { timeout: 30_000, interval: 5 }).not.toEqual([]);
    leave.abort();
    await expect(making).rejects.toThrow();
    await expect.poll(listTemporary, { timeout: 30_000 }).toEqual([]);

    const { body } = await admin.fetch(url);
    await body?.cancel();
    await expect.poll(() => [listTemporary(), listOpenFiles()]).toEqual([[], []]);
  });

  test('a copy has what was found in an earlier version of a record, with the chosen words blacked out', async () => {
    const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
    const save = (version: number, witnesses: string) =>
      admin(api.saveAssessment, {
        params: { id },
        body: { version, answers: {}, people: [{}], particulars: { witnesses } },
      });
    // Together longer than what is kept of texts that do not name the person.
    const versions = Array.from({ length: 7 }, (_, at) => `Carys Bevan ${at}: ${'she slipped '.repeat(150)}`);
    for (const [version, witnesses] of [...versions, 'Carys Bevan, and Mererid\nHiraethog', 'Nobody'].entries())
      await save(version, witnesses);
    const { params, hits } = await decide('Carys Bevan', () => ({
      choice: 'redact',
      texts: ['Mererid Hiraethog'],
      images: [],
    }));
    expect(hits).toMatchObject([{ id: `report:${id}`, where: ['versions of the assessment'] }]);
    const { readText } = await unpackCopy(params);
    const [{ found, record }] = JSON.parse(readText('data.json'));
    expect(JSON.stringify(record)).not.toContain('Carys');
    expect(found).toEqual([
      { field: 'versions of the assessment', text: expect.stringContaining('Carys Bevan, and ███████\n█████████') },
    ]);
    for (const text of versions) expect(found[0].text).toContain(text.trim());
    expect(readText('data.json')).not.toMatch(/mererid|hiraethog/i);
  });
});
