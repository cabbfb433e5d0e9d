// The screens on which tests check what must hold everywhere.
import { getToday } from '#shared/dates.ts';
import { screens } from '../src/web/screens.ts';

type Ids = { report: string; folder: string; audit: string };

/** Screens for users who are not signed in, and one whose form the others have too. */
const leftOut = ['/login', '/confirm-email', '/sign-in/return', '/incidentreporting'];

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
