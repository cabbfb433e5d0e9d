import { api } from '#shared/api.ts';
import type { Engine } from '../db/connect.ts';
import { newReport } from './factories.ts';
import { startTestServer } from './server.ts';
import { longSessions } from './settings.ts';

export type LawTest = Awaited<ReturnType<typeof startLawTest>>;

/**
 * Starts a server whose clock may move by years without ending sessions, with functions that all
 * RIDDOR tests use.
 */
export async function startLawTest(engine: Engine, now: () => number) {
  const server = await startTestServer(engine, longSessions, now);
  const admin = await server.as('Admin');
  const manager = await server.as('Health & Safety Manager');
  const setDay = (id: string, date: string) =>
    server.db.updateTable('reports').set({ date }).where('id', '=', id).execute();
  /** Creates a report with this date, which may be in the future. */
  async function createReport(date: string) {
    const { id, number } = await admin(api.submitAccident, { body: await newReport(admin) });
    await setDay(id, date);
    return { id, number, params: { id } };
  }
  return { server, admin, manager, setDay, createReport, stop: server.stop };
}

/** Answers that make a report reportable under RIDDOR. */
export const fractureAnswers = {
  answers: {
    workHow: 'no',
    workKit: 'no',
    workPlace: 'yes',
    exclusions: ['none'],
    road: 'no',
    control: 'us',
    hospitalPremises: 'no',
    occurrence: ['none'],
    gas: 'no',
    gasFitting: 'no',
  },
  people: [{ class: 'employee', harm: 'accident', died: 'no', specified: ['fracture'], absence: 'none', forces: 'no' }],
};
