// Packs of reports of the first release, with its photos and invalid dates.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOnFirstRelease } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('reports of the first release on %s can be put into packs', async (engine) => {
  const server = await startOnFirstRelease(engine);
  try {
    const huw = await server.signIn('huw');
    expect(await huw(api.listPacks)).toEqual([]);
    const chosen = ['ACC-2026-0001', 'ACC-2026-0004'];
    const reports = (await huw(api.listReports)).filter(({ number }) => chosen.includes(number));
    expect(reports.map(({ date, mediaFiles }) => [date, mediaFiles.length]).sort()).toEqual([
      ['2026-03-14', 2],
      ['last Tuesday', 0],
    ]);
    const { id } = await huw(api.createPack, {
      body: { recipient: 'HSE', purpose: 'Inspection', withoutNames: false, reports: reports.map(({ id }) => id) },
    });
    const find = async () => (await huw(api.listPacks))[0];
    await expect.poll(async () => (await find())?.state, { timeout: 20_000, interval: 100 }).toMatch(/ready|failed/);
    expect(await find()).toMatchObject({ state: 'ready', reports: reports.length, problem: null });

    const file = join(server.folder, 'pack.zip');
    writeFileSync(file, await huw(api.getPackFile, { params: { id } }));
    const listed = execFileSync('python3', ['-m', 'zipfile', '-l', file], { encoding: 'utf8' });
    for (const { number, mediaFiles } of reports) {
      expect(listed).toContain(`reports/${number}/report.pdf`);
      expect(listed.split(`reports/${number}/photo-`).length - 1).toBe(mediaFiles.length);
    }
    // Only one report has a valid date, so only its park has checks in the pack.
    expect([...listed.matchAll(/checks\/([\w-]+)\.csv/g)].map(([, name]) => name).sort()).toEqual([
      'Lido-Beach',
      'Lido-Beach-answers',
      'Lido-Beach-readings',
    ]);
    await huw(api.deletePack, { params: { id } });
    expect(await huw(api.listPacks)).toEqual([]);
  } finally {
    await server.stop();
  }
});
