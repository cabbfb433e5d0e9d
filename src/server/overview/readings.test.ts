// The numbers that the checks of a place recorded: on its page and in the export.
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Lyndale';

describe.each(engines)('readings of places on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

  test('each number is listed with the limits of its version, by question, and only those of the place', async () => {
    await admin(api.addPlaces, { body: { park, names: ['Pool', 'Spa'] } });
    const places = (await admin(api.listPlaces)).filter((place) => place.park === park);
    const getId = (name: string) => places.find((place) => place.name === name)?.id ?? '';
    const pool = getId('Pool');
    const toBody = (max: number) => ({
      title: 'Water',
      sections: [
        { title: 'Site', type: 'site' as const, required: true },
        { title: 'pH', type: 'text' as const, required: false, number: { unit: 'pH', min: 7.2, max } },
        { title: 'pH', type: 'text' as const, required: false, number: { unit: 'pH', min: null, max: null } },
        { title: 'Words', type: 'text' as const, required: false },
      ],
    });
    const { id: checklistId } = await admin(api.createChecklist, { body: toBody(7.6) });
    const fillIn = (placeId: string, data: object, failures = {}, capturedAt?: string) =>
      admin(api.submitChecklist, {
        body: { checklistId, placeId, capturedAt, failures, data: { '0': park, ...data } } as never,
      });
    await fillIn(pool, { '1': '7,4', '2': '1', '3': '8' });
    await admin(api.updateChecklist, { params: { id: checklistId }, body: toBody(8) });
    const earlier = new Date(Date.now() - 3_600_000).toISOString();
    await fillIn(pool, { '1': '9' }, { '1': { note: 'High', mediaFiles: [] } }, earlier);
    await fillIn(getId('Spa'), { '1': '7.5' });

    const { series, isCut } = await admin(api.listReadings, { params: { id: pool } });
    expect(isCut).toBe(false);
    expect(series).toMatchObject([
      {
        ...{ checklist: 'Water', question: 'pH', unit: 'pH' },
        readings: [
          { at: earlier, value: 9, min: 7.2, max: 8, isFailing: true },
          { value: 7.4, min: 7.2, max: 7.6, isFailing: false },
        ],
      },
      { question: 'pH (2)', readings: [{ value: 1, min: null, max: null }] },
    ]);
    const bytes = await admin(api.exportReadings, { query: { format: 'csv', place: pool } });
    const rows = parse(Buffer.from(bytes), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map((row) => [row.Place, row.Question, row.Reading, row['Highest allowed']])).toEqual([
      ['Pool', 'pH', '9', '8'],
      ['Pool', 'pH', '7.4', '7.6'],
      ['Pool', 'pH (2)', '1', ''],
    ]);
    const xlsx = await admin(api.exportReadings, { query: { format: 'xlsx', place: pool } });
    expect(Buffer.from(xlsx).subarray(0, 2).toString()).toBe('PK');
    const elsewhere = await server.as('Health & Safety Manager', 'Mounds');
    await expect(elsewhere(api.listReadings, { params: { id: pool } })).rejects.toMatchObject({ status: 404 });
    await expect(elsewhere(api.exportReadings, { query: { format: 'csv', place: pool } })).rejects.toMatchObject({
      status: 404,
    });
    const staff = await server.as('None', park);
    await expect(staff(api.listReadings, { params: { id: pool } })).rejects.toMatchObject({ status: 403 });
  });

  test('numbers of hidden questions and N/A are no readings, and questions with one title keep apart', async () => {
    await admin(api.addPlaces, { body: { park, names: ['Lazy river'] } });
    const placeId = (await admin(api.listPlaces)).find(({ name }) => name === 'Lazy river')?.id ?? '';
    const number = { unit: 'mg/l', min: null, max: null, allowNA: true };
    const question = { title: 'Level', type: 'text' as const, required: false, number };
    const { id: checklistId } = await admin(api.createChecklist, {
      body: {
        title: 'Levels',
        sections: [
          { title: 'Open?', type: 'na', required: true },
          { ...question, showIf: { section: 0, answers: ['Yes'] } },
          { ...question, title: 'Level (2)' },
          question,
          question,
        ],
      },
    });
    const data = { '1': '1', '2': '2', '3': '3', '4': '4' };
    for (const answers of [
      { '0': 'Yes', ...data },
      { '0': 'No', ...data },
      { '0': 'Yes', '1': 'N/A', '4': '5' },
    ])
      await admin(api.submitChecklist, { body: { checklistId, placeId, park, data: answers } });
    const { series } = await admin(api.listReadings, { params: { id: placeId } });
    const values = series.map(({ question, readings }) => [question, readings.map(({ value }) => value)]);
    expect(Object.fromEntries(values)).toEqual({
      Level: [1],
      'Level (2)': [2, 2],
      'Level (3)': [3, 3],
      'Level (4)': [4, 4, 5],
    });
  });

  test('questions of two checklists with one title keep apart', async () => {
    await admin(api.addPlaces, { body: { park, names: ['Hot tub'] } });
    const placeId = (await admin(api.listPlaces)).find(({ name }) => name === 'Hot tub')?.id ?? '';
    const number = { unit: '', min: null, max: null };
    for (const value of ['1', '2']) {
      const sections = [{ title: 'Level', type: 'text' as const, required: false, number }];
      const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Twins', sections } });
      await admin(api.submitChecklist, { body: { checklistId, placeId, park, data: { '0': value } } });
    }
    const { series } = await admin(api.listReadings, { params: { id: placeId } });
    expect(new Set(series.map(({ checklistId }) => checklistId)).size).toBe(2);
    expect(series.map(({ readings }) => readings.map(({ value }) => value)).sort()).toEqual([[1], [2]]);
  });

  test('a question whose unit was changed has a curve for each unit', async () => {
    await admin(api.addPlaces, { body: { park, names: ['Boiler'] } });
    const placeId = (await admin(api.listPlaces)).find(({ name }) => name === 'Boiler')?.id ?? '';
    const toBody = (unit: string) => ({
      title: 'Boiler',
      sections: [{ title: 'Hot', type: 'text' as const, required: false, number: { unit, min: null, max: null } }],
    });
    const { id: checklistId } = await admin(api.createChecklist, { body: toBody('°F') });
    const fillIn = (value: string) =>
      admin(api.submitChecklist, { body: { checklistId, placeId, park, data: { '0': value } } });
    await fillIn('140');
    await admin(api.updateChecklist, { params: { id: checklistId }, body: toBody('°C') });
    await fillIn('60');
    const { series } = await admin(api.listReadings, { params: { id: placeId } });
    expect(series.map(({ unit, readings }) => [unit, readings.map(({ value }) => value)])).toEqual([
      ['°C', [60]],
      ['°F', [140]],
    ]);
  });
});
