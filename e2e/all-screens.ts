// The screens on which tests check what must hold everywhere.
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { newLesson } from '../src/server/testing/factories.ts';
import { sendMessage } from '../src/server/testing/messages.ts';
import type { TestClient, TestServer } from '../src/server/testing/server.ts';
import { screens } from '../src/web/screens.ts';

type Ids = { report: string; folder: string; audit: string };

/** Screens for users who are not signed in, and one whose form the others have too. */
const leftOut = ['/login', '/confirm-email', '/invitation', '/sign-in/return', '/incidentreporting'];

/** The addresses of the screens that an Admin opens, also with these records. */
export const listScreens = ({ report, folder, audit }: Ids) => [
  ...screens.map(({ path }) => path).filter((path) => !path.includes(':') && !leftOut.includes(path)),
  '/reporting?tab=incident',
  '/get-reports?view=list',
  `/get-reports?report=${report}`,
  `/overview/audits?state=overdue&on=${getToday()}`,
  '/admin?tab=checklists',
  '/admin?tab=submissions',
  `/audit-folders/${folder}`,
  `/create-audit/${folder}`,
  `/audit/${audit}`,
];

/** The addresses of the screens of further records, which are created. */
export async function createRecordScreens(
  server: Pick<TestServer, 'db'>,
  admin: TestClient,
  { report }: Pick<Ids, 'report'>,
): Promise<string[]> {
  const park = 'Lido Beach';
  const message = await sendMessage(server, {}, { park, place: 'Paddling pool' });
  const place = (await admin(api.listPlaces)).find((one) => one.name === 'Paddling pool');
  const investigation = await admin(api.createInvestigation, { body: { thing: 'report', id: report } });
  const lesson = await admin(api.createLesson, { body: newLesson() });
  return [
    `/places/${place?.id}`,
    `/investigations/${investigation.id}`,
    `/messages/${message.id}`,
    `/lessons/${lesson.id}`,
  ];
}

/** The screens that none of these addresses opens. */
export const listUnopened = (addresses: string[]) =>
  screens
    .map(({ path }) => path)
    .filter((path) => {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`);
      return !leftOut.includes(path) && !addresses.some((address) => pattern.test(address));
    });
