// Demo folders and audits, created through the API as users do.
import { api } from '#shared/api.ts';
import { sendRequest } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';

/** `days` from today; `photo` is a file name in fixtures/demo without extension. */
type DemoAudit = {
  title: string;
  location: string;
  description: string;
  days: number;
  photo: string;
  urgent?: true;
  completed?: true;
  verification?: { days: number };
};

const dayMs = 24 * 60 * 60 * 1000;

const folders: {
  name: string;
  description: string;
  park: string;
  assignee: string;
  photo?: string;
  audits: DemoAudit[];
}[] = [
  {
    name: 'Fire safety',
    description: 'Monthly rounds: extinguishers, alarms, emergency lights and the fire points between the plots.',
    park: 'Lido Beach',
    assignee: 'sian',
    photo: 'caravan-steps-1',
    audits: [
      {
        title: 'Check the extinguishers in the clubhouse',
        location: 'Clubhouse, both floors',
        description:
          'Look at the pressure, the seal and the date on the tag of each.\nNote the number of any that is due.',
        days: 3,
        photo: 'gas-locker-2',
      },
      {
        title: 'Replace the hose at fire point 7',
        location: 'Between plots 112 and 114',
        description: 'The hose is cracked near the reel and must not be used.',
        days: -4,
        photo: 'wet-path-2',
        urgent: true,
      },
      {
        title: 'Test the alarm in the arcade',
        location: 'Arcade',
        description: 'Weekly test, before opening.',
        days: -7,
        photo: 'main-gate-2',
        completed: true,
        verification: { days: 14 },
      },
    ],
  },
  {
    name: 'Play areas',
    description: 'Swings, slides, frames and the ground under them.',
    park: 'Lido Beach',
    assignee: 'sian',
    photo: 'play-area-1',
    audits: [
      {
        title: 'Inspect the climbing frame',
        location: 'Play area by the lake',
        description: 'Bolts, ropes, sharp edges, and the safety surface all round.',
        days: 0,
        photo: 'play-area-1',
      },
      {
        title: 'Repair the gate of the toddlers’ area',
        location: 'Toddlers’ area',
        description: 'It does not close by itself any more.',
        days: -2,
        photo: 'play-area-2',
      },
    ],
  },
  {
    name: 'Gas and electricity',
    description: 'Yearly checks of the hire fleet.',
    park: 'Robin Hood',
    assignee: 'dewi',
    photo: 'gas-locker-1',
    audits: [
      {
        title: 'Gas check, caravans 1 to 20',
        location: 'Field A',
        description: 'Regulators, hoses, carbon monoxide alarms.',
        days: 21,
        photo: 'gas-locker-1',
      },
    ],
  },
  {
    name: 'Paths and steps',
    description: 'Surfaces, lighting, handrails and caravan steps.',
    park: 'Snowdon View',
    assignee: 'mared',
    photo: 'wet-path-1',
    audits: [
      {
        title: 'Drain the path below the shop',
        location: 'Path to the lower field',
        description: 'Water stands here after rain. Clear the gully and check the fall.',
        days: -11,
        photo: 'wet-path-1',
        urgent: true,
      },
      {
        title: 'Replace the tread at plot 61',
        location: 'Plot 61',
        description: 'Second tread broken. Steps are out of use until it is done.',
        days: 2,
        photo: 'caravan-steps-2',
      },
    ],
  },
  {
    name: 'Pool',
    description: 'Poolside, plant room and signs.',
    park: 'Pendyffryn Hall',
    assignee: 'gethin',
    photo: 'pool-edge-1',
    audits: [
      {
        title: 'Regrout the shallow end',
        location: 'Indoor pool',
        description: 'Loose tiles by the handrail.',
        days: 9,
        photo: 'pool-edge-2',
      },
      {
        title: 'Renew the depth signs',
        location: 'Indoor pool',
        description: 'Two are faded.',
        days: -20,
        photo: 'pool-edge-1',
        completed: true,
      },
    ],
  },
  {
    name: 'Entrance and roads',
    description: 'Barrier, speed humps, signs and delivery times.',
    park: 'Point of Ayr',
    assignee: 'ffion',
    photo: 'main-gate-1',
    audits: [
      {
        title: 'Put up a mirror at the gate',
        location: 'Main gate',
        description: 'Vans reversing out cannot see the footpath.',
        days: -3,
        photo: 'main-gate-1',
        urgent: true,
      },
    ],
  },
];

/** Reported as hazards; `photo` is a file name in fixtures/demo without extension. */
const hazards = [
  { park: 'Lido Beach', kind: 'Broken or loose', location: 'Steps of plot 112', photo: 'caravan-steps-2' },
  { park: 'Lido Beach', kind: 'Trip or slip', location: 'Path to the shop', photo: 'wet-path-1' },
  { park: 'Pendyffryn Hall', kind: 'Water or pool', location: 'Indoor pool', photo: 'pool-edge-2' },
] as const;

const places = {
  'Lido Beach': ['Clubhouse', 'Indoor pool', 'Arcade', 'Main gate', 'Path to the shop', 'Play area by the lake'],
  'Pendyffryn Hall': ['Indoor pool', 'Plant room', 'Shop'],
} as const;

/** Creates demo places, folders, audits and hazards as this user, who must see all parks. `photos` are JPEGs by name. */
export async function addDemoAudits(fetchAsUser: typeof fetch, now: Date, photos: Map<string, Buffer>): Promise<void> {
  const getFile = (name: string) => new Blob([new Uint8Array(photos.get(name) ?? [])]);
  const uploadPhoto = async (name: string) => {
    const { filePath: path, fileName } = await sendRequest(fetchAsUser, api.uploadImage, {
      query: { use: 'photo' },
      body: {},
      ...{ file: getFile(name), fileName: `${name}.jpg` },
    });
    return { path, name: fileName };
  };
  for (const { audits, photo, assignee, ...body } of folders) {
    const file = photo === undefined ? {} : { file: getFile(photo), fileName: 'folder.jpg' };
    const { id } = await sendRequest(fetchAsUser, api.createFolder, { body, ...file });
    for (const { days, photo, urgent = false, completed = false, ...fields } of audits) {
      const audit = {
        ...fields,
        folder_id: id,
        assignee,
        is_urgent: urgent,
        date: getToday(new Date(now.getTime() + days * dayMs)),
        time: '09:30',
        completed,
        media_files: [await uploadPhoto(photo)],
      };
      await sendRequest(fetchAsUser, api.createAudit, { body: audit });
    }
  }
  for (const [park, names] of Object.entries(places))
    await sendRequest(fetchAsUser, api.addPlaces, { body: { park: park as keyof typeof places, names: [...names] } });
  const allPlaces = await sendRequest(fetchAsUser, api.listPlaces, {});
  for (const { photo, location, ...hazard } of hazards) {
    const placeId = allPlaces.find(({ park, name }) => park === hazard.park && name === location)?.id;
    const body = { hazard, location, placeId, media_files: [await uploadPhoto(photo)] };
    await sendRequest(fetchAsUser, api.createAudit, { body });
  }
}
