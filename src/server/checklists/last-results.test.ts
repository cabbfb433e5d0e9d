// What an open checklist says about the last time it was filled in at its place.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

const note = 'Green, with a child’s shoe in it';

describe.each(engines)('the last result of a checklist on %s', (engine) => {
  const checks = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-07-01T07:00:00.000Z'));

  test('is of its place only, names the questions that failed, and has no note', async () => {
    const [indoor = '', outdoor = ''] = await checks.addPlaces(['Indoor pool', 'Outdoor pool']);
    const id = await checks.createChecklist();
    const read = (place?: string, client = checks.staff) =>
      client(api.getLastResult, { params: { id }, query: { park: 'Lido Beach', ...(place && { place }) } });
    expect(await read(indoor)).toEqual({ last: null, open: [] });
    await checks.submit(id, 'No', { placeId: indoor, failures: { 0: { note } } });
    const result = await read(indoor);
    expect(result.last).toMatchObject({ failing: 1, titles: ['Is it clear?'] });
    expect(JSON.stringify(result)).not.toContain(note);
    expect((await read(outdoor)).last).toBeNull();
    expect((await read()).last).toBeNull();
    await checks.submit(id, 'Yes', { placeId: indoor });
    expect((await read(indoor)).last).toMatchObject({ failing: 0, titles: [], unanswered: 0 });
    await checks.staff(api.submitChecklist, { body: { checklistId: id, data: { '0': '' }, placeId: indoor } });
    expect((await read(indoor)).last).toMatchObject({ failing: 0, unanswered: 1 });
  });

  test('is hidden from staff of another park, and nothing says whether a place of theirs exists', async () => {
    const [slide = ''] = await checks.addPlaces(['Slide']);
    const id = await checks.createChecklist();
    await checks.submit(id, 'No', { placeId: slide });
    const stranger = await checks.server.as('None', 'Mounds');
    const read = (park: string, place?: string) =>
      stranger(api.getLastResult, { params: { id }, query: { park, ...(place && { place }) } });
    await expect(read('Lido Beach', slide)).rejects.toMatchObject({ status: 403 });
    await expect(read('Mounds', slide)).rejects.toMatchObject({ status: 404 });
    await expect(read('Mounds', 'no-such-place')).rejects.toMatchObject({ status: 404 });
  });
});
