// Demo folders and audits, created through the API.
import { api } from '#shared/api.ts';
import type { parks } from '#shared/choices.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';

type Job = { title: string; location: string; description: string; days: number; urgent?: true; completed?: true };

const day = 24 * 60 * 60 * 1000;

const folders: { name: string; description: string; park: (typeof parks)[number]; photo?: number; jobs: Job[] }[] = [
  {
    name: 'Fire safety',
    description: 'Monthly rounds: extinguishers, alarms, emergency lights and the fire points between the plots.',
    park: 'Lido Beach',
    photo: 0,
    jobs: [
      {
        title: 'Check the extinguishers in the clubhouse',
        location: 'Clubhouse, both floors',
        description:
          'Look at the pressure, the seal and the date on the tag of each.\nNote the number of any that is due.',
        days: 3,
      },
      {
        title: 'Replace the hose at fire point 7',
        location: 'Between plots 112 and 114',
        description: 'The hose is cracked near the reel and must not be used.',
        days: -4,
        urgent: true,
      },
      {
        title: 'Test the alarm in the arcade',
        location: 'Arcade',
        description: 'Weekly test, before opening.',
        days: -7,
        completed: true,
      },
    ],
  },
  {
    name: 'Play areas',
    description: 'Swings, slides, frames and the ground under them.',
    park: 'Lido Beach',
    photo: 3,
    jobs: [
      {
        title: 'Inspect the climbing frame',
        location: 'Play area by the lake',
        description: 'Bolts, ropes, sharp edges, and the safety surface all round.',
        days: 0,
      },
      {
        title: 'Mend the gate of the toddlers’ area',
        location: 'Toddlers’ area',
        description: 'It does not close by itself any more.',
        days: -2,
      },
    ],
  },
  {
    name: 'Gas and electricity',
    description: 'Yearly checks of the hire fleet.',
    park: 'Robin Hood',
    jobs: [
      {
        title: 'Gas check, caravans 1 to 20',
        location: 'Field A',
        description: 'Regulators, hoses, carbon monoxide alarms.',
        days: 21,
      },
    ],
  },
];

/** Creates them as a user who must see all parks. `photos` are JPEG files. */
export async function addDemoAudits(as: typeof fetch, now: Date, photos: Buffer[]): Promise<void> {
  const getFilePath = (index: number) => new Blob([new Uint8Array(photos[index % photos.length] ?? [])]);
  let count = 0;
  for (const { jobs, photo, ...body } of folders) {
    const file = photo === undefined ? {} : { file: getFilePath(photo), fileName: 'folder.jpg' };
    const { id } = await sendRequest(as, api.createFolder, { body, ...file });
    for (const { days, urgent = false, completed = false, ...job } of jobs) {
      const picture = { file: getFilePath(count), fileName: `photo-${count}.jpg` };
      const { filePath, fileName } = await sendRequest(as, api.uploadImage, {
        query: { use: 'photo' },
        body: {},
        ...picture,
      });
      const audit = {
        ...job,
        folder_id: id,
        assignee: body.park === 'Lido Beach' ? 'sian' : 'dewi',
        is_urgent: urgent,
        date: getToday(new Date(now.getTime() + days * day)),
        time: '09:30',
        completed,
        media_files: [{ path: filePath, name: fileName }],
      };
      await sendRequest(as, api.createAudit, { body: audit });
      count += 1;
    }
  }
}
