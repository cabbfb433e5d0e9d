// Demo investigations, created through the API as users do: a closed one, and one that waits for a
// verification; and a lesson that 18 of 20 parks answered.
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import type { SectionContents, SectionName } from '#shared/investigations.ts';

type DemoUsers = { reviewer: typeof fetch; worker: typeof fetch; verifier: typeof fetch };
type DemoInvestigation = {
  contents: Partial<{ [Name in SectionName]: Partial<SectionContents[Name]> }>;
  actions: { cause: number; title: string; description: string }[];
  isVerified: boolean;
};

const investigations: DemoInvestigation[] = [
  {
    contents: {
      madeSafe: { text: 'The step was taped off, and the caravan entered through the veranda.' },
      depth: { worst: 'serious', likely: 'possible', level: 'low' },
      facts: {
        text: 'A guest stepped on the lowest step of a caravan. It gave way, because the board had rotted from below.',
        learnt: 'Boards rot where nobody sees it. They look sound from above.',
        tookPart: 'The maintenance team',
      },
      causes: {
        list: [
          { id: 1, kind: 'immediate', heading: 'plant', text: 'The board of the lowest step had rotted.' },
          { id: 2, kind: 'root', heading: 'process', text: 'The spring round does not look at steps from below.' },
        ],
      },
      risk: { outcome: 'holds', text: 'Steps and decking, read again with the team.' },
    },
    actions: [
      { cause: 1, title: 'Replace the lowest steps with a rotten board', description: 'Treated timber, four screws.' },
      { cause: 2, title: 'Add steps from below to the spring round', description: 'A torch and a screwdriver.' },
    ],
    isVerified: true,
  },
  {
    contents: {
      madeSafe: { text: 'The floor was dried and a sign put up.' },
      depth: { worst: 'serious', likely: 'unlikely', level: 'low' },
      facts: {
        text: 'A visitor slipped on the wet floor at the entrance.',
        learnt: 'The mat is taken away for cleaning on the wettest days.',
      },
      causes: { list: [{ id: 3, kind: 'underlying', heading: 'place', text: 'There is one mat for two entrances.' }] },
      risk: { outcome: 'holds' },
    },
    actions: [{ cause: 3, title: 'Buy a second mat for the entrance', description: 'The same width as the door.' }],
    isVerified: false,
  },
];

/** Investigates the newest reports, of Lido Beach first. The reviewer must see all parks, the worker and the verifier Lido Beach. */
export async function addDemoInvestigations({ reviewer, worker, verifier }: DemoUsers): Promise<void> {
  const newest = await sendRequest(reviewer, api.listReports, { query: { limit: 200 } });
  const getRank = ({ selectedPlace }: { selectedPlace: string }) => (selectedPlace === 'Lido Beach' ? 0 : 1);
  const reports = newest.toSorted((one, other) => getRank(one) - getRank(other));
  const folders = await sendRequest(reviewer, api.listFolders, {});
  const folder_id = folders.find(({ park }) => park === 'Lido Beach')?.id ?? '';
  for (const [index, { contents, actions, isVerified }] of investigations.entries()) {
    const report = reports[index];
    if (!report) return;
    const body = { thing: 'report', id: report.id } as const;
    const { id } = await sendRequest(reviewer, api.createInvestigation, { body });
    const params = { id };
    const { sections } = await sendRequest(reviewer, api.getInvestigation, { params });
    for (const [section, content] of Object.entries(contents))
      await sendRequest(reviewer, api.saveInvestigationSection, {
        params: { id: sections[section as SectionName].id },
        body: { section, version: 0, content } as never,
      });
    for (const { cause, ...action } of actions) {
      const audit = await sendRequest(reviewer, api.createAudit, {
        body: { ...action, folder_id, assignee: 'sian', source: { thing: 'investigation', id, cause } },
      });
      const params = { id: audit.id };
      await sendRequest(worker, api.updateAudit, { params, body: { data: { completed: true } } });
      if (isVerified)
        await sendRequest(verifier, api.verifyAudit, { params, body: { outcome: 'works', text: 'I looked at it.' } });
    }
    await sendRequest(reviewer, api.addInvestigationNote, { params, body: { kind: 'complete' } });
  }
}

/** Creates a lesson for all parks and answers it at all but two of them. The user must see all parks. */
export async function addDemoLesson(fetchAsUser: typeof fetch, now: Date): Promise<void> {
  const { id } = await sendRequest(fetchAsUser, api.createLesson, {
    body: {
      title: 'Sockets outside that let water in',
      happened: 'The cover of a socket in the open had cracked. Rain ran in, and someone got a shock from a plug.',
      look_at: 'Every socket outside: is the cover whole, does it close by itself, is the seal soft?',
      answer_by: addDays(getToday(now), 7),
    },
  });
  const { answers } = await sendRequest(fetchAsUser, api.getLesson, { params: { id } });
  for (const [index, { audit }] of answers.slice(2).entries()) {
    const body = { data: { completed: true, ...(otherAnswers[index] ?? inOrder) } };
    await sendRequest(fetchAsUser, api.updateAudit, { params: { id: audit?.id ?? '' }, body });
  }
}

const inOrder = { answer: 'inOrder', answer_note: 'Every cover was opened and looked at.' } as const;
const otherAnswers = [
  { answer: 'needsWork', answer_note: 'Two covers by the laundry are cracked.' },
  { answer: 'doesNotApply', answer_note: 'There are no sockets outside.' },
] as const;
