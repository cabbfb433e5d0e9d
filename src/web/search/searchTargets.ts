// Where what was found leads to, and the screens that a search finds by their names.
import { isAllowed, type Viewer } from '#shared/access.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { Found } from '#shared/search/search.ts';
import { matchesSearch } from '#shared/text.ts';
import { screens } from '../screens.ts';

/** The heading of each kind, and the address of what was found. */
export const targets: Record<Found['kind'], { heading: string; getPath: (id: string, title: string) => string }> = {
  report: { heading: 'Reports', getPath: recordUrls.report },
  submission: { heading: 'Submitted checklists', getPath: recordUrls.submission },
  audit: { heading: 'Audits', getPath: recordUrls.audit },
  investigation: { heading: 'Investigations', getPath: recordUrls.investigation },
  message: { heading: 'Messages from guests', getPath: recordUrls.message },
  place: { heading: 'Places', getPath: recordUrls.place },
  checklist: { heading: 'Checklists', getPath: (_, title) => `/checklists?q=${encodeURIComponent(title)}` },
  person: { heading: 'People', getPath: (username) => `/admin?tab=users&person=${encodeURIComponent(username)}` },
};

/** Words by which people look for a screen, beside its title. */
const otherWords: Record<string, string> = {
  '/report-hazard': 'near miss',
  '/reporting': 'accident incident',
  '/admin': 'users submitted checklists',
};

/** Returns the screens that the user may open and whose title has the words. */
export const findScreens = (q: string, user: Viewer): { path: string; title: string }[] =>
  screens.filter(
    ({ path, title, access }) =>
      access !== 'anyone' &&
      !path.includes(':') &&
      isAllowed(access, user) &&
      matchesSearch([title, otherWords[path] ?? ''], q),
  );
