// The numbers that the checks of a place recorded.
import type { Section, Submission } from '#shared/checklists.ts';
import { isFailing, parseNumber } from '#shared/failing-answers.ts';
import { type ReadingSeries, readSubmissions } from '#shared/places/readings.ts';
import { getDeviceTime } from '#shared/schedules/check-state.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { readAnswerPages } from '../checklists/submissions.ts';
import type { Database } from '../db/schema.ts';

type FoundSeries = Omit<ReadingSeries, 'readings'>;
export type FoundReading = FoundSeries &
  ReadingSeries['readings'][number] & { number: string; park: string; placeName: string };

/** Returns a name for each question that no other of the checklist has: further ones with a title are numbered. */
function nameQuestions(sections: Section[]): string[] {
  const titles = new Set(sections.map(({ title }) => title));
  const used = new Set<string>();
  return sections.map(({ title }) => {
    let name = title;
    for (let count = 2; used.has(name) || (name !== title && titles.has(name)); count++) name = `${title} (${count})`;
    used.add(name);
    return name;
  });
}

/** Returns the readings of submissions: each number that was typed at a question that was shown. `N/A` is none. */
export const toReadings = (submissions: (Submission & { placeName?: string })[]): FoundReading[] =>
  submissions.flatMap(({ sections, data, ...submission }) => {
    const { id, number, park, placeName = '', checklist_id, checklist_title, submitted_at, captured_at } = submission;
    const at = getDeviceTime({ receivedAt: submitted_at, capturedAt: captured_at });
    const names = nameQuestions(sections);
    return sections.flatMap((section, index) => {
      const answer = data[index];
      const value = section.number && typeof answer === 'string' ? parseNumber(answer) : undefined;
      if (!section.number || value === undefined || !isRecorded(sections, data, index)) return [];
      const { unit, min, max } = section.number;
      return {
        ...{ checklistId: checklist_id, checklist: checklist_title, question: names[index] ?? '', park, placeName },
        ...{ submission: id, number, at, value, unit, min, max, isFailing: isFailing(section, answer) },
      };
    });
  });

/** Returns the readings of the newest submissions of a place, by question. */
export async function listReadings(db: Database, placeId: string) {
  const series = new Map<string, ReadingSeries>();
  let submissions = 0;
  for await (const page of readAnswerPages(db, { place: placeId })) {
    // Newest first, so the newest title of a checklist is kept. A question with another unit is another curve.
    for (const reading of toReadings(page.slice(0, readSubmissions - submissions))) {
      const { checklistId, checklist, question, unit, submission, at, value, min, max, isFailing } = reading;
      const key = JSON.stringify([checklistId, question, unit]);
      const readings = series.get(key)?.readings ?? [];
      if (readings.length === 0) series.set(key, { checklistId, checklist, question, unit, readings });
      readings.push({ submission, at, value, min, max, isFailing });
    }
    submissions += page.length;
    if (submissions > readSubmissions) break;
  }
  for (const { readings } of series.values()) readings.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { series: [...series.values()], isCut: submissions > readSubmissions };
}
