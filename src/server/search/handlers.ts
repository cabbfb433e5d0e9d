// One search for all that a user may read. Each kind is found by the query of its own list, so that it finds nothing
// that the list would not show. Neither the words nor what was found are logged.
import { isAllowed } from '#shared/access.ts';
import { describeAuditDay } from '#shared/audits.ts';
import type { Submission } from '#shared/checklists.ts';
import { investigationStateLabels } from '#shared/investigations.ts';
import type { Report } from '#shared/reports/reports.ts';
import { type Found, foundLimit } from '#shared/search/search.ts';
import { matchesSearch } from '#shared/text.ts';
import { matchesUser } from '#shared/users.ts';
import { listAuditsInState } from '../audits/store.ts';
import { listChecklists } from '../checklists/store.ts';
import { listSubmissionsAsJson } from '../checklists/submissions.ts';
import type { Config } from '../config.ts';
import { listSearchedNotes } from '../db/audit-data.ts';
import type { Database } from '../db/schema.ts';
import type { Handlers } from '../http/handler-context.ts';
import { listInvestigations } from '../investigations/store.ts';
import { findMessages } from '../messages/store.ts';
import { listPlaces } from '../places/store.ts';
import { listReports } from '../reports/store.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { listUsers } from '../users/store.ts';
import { getExcerpt } from './excerpt.ts';

type Search = { db: Database; q: string; user: SignedInUser; config: Config };
/** A title is all that most kinds have. */
const nothingElse = { park: '', at: '', state: '', excerpt: '' };
type Finder = (search: Search) => Promise<({ id: string; title: string } & Partial<typeof nothingElse>)[]>;

const parseList = <T>(json: Buffer) => JSON.parse(json.toString()) as T[];

const reviewerFinders = {
  report: async ({ db, q }) =>
    parseList<Report>(await listReports(db, { q }, foundLimit)).map(
      ({ id, number, type, location, selectedPlace, date }) => ({
        ...{ id, title: `${number}: ${type}, ${location}`, park: selectedPlace, at: date },
      }),
    ),
  submission: async ({ db, q, user }) =>
    parseList<Submission>(await listSubmissionsAsJson(db, { user, knowsNewTypes: true }, { q, limit: foundLimit })).map(
      ({ id, number, checklist_title, park, place, submitted_at }) => ({
        ...{ id, title: `${number}: ${checklist_title}${place ? `, ${place.name}` : ''}`, park, at: submitted_at },
      }),
    ),
  investigation: async ({ db, q, user }) =>
    (await listInvestigations(db, user))
      .filter(({ number, records }) => matchesSearch([number, ...records.map(({ label }) => label)], q))
      .map(({ id, number, records, park, created_at, state }) => {
        const labels = records.flatMap(({ label }) => label || []).join(', ');
        const title = labels ? `${number}: ${labels}` : number;
        return { id, title, park, at: created_at, state: investigationStateLabels[state] };
      }),
  message: async ({ db, q, user }) =>
    (await findMessages(db, user, q, foundLimit)).map(({ id, place, words, park, created_at, isOpen }) => {
      const title = words ? `${place.name}: ${words.slice(0, 100)}` : place.name;
      return {
        id,
        title,
        park,
        at: created_at,
        state: isOpen ? 'Open' : 'Closed',
        excerpt: getExcerpt(title, [words], q),
      };
    }),
  person: async ({ db, q, user, config }) =>
    (await listUsers(db, user, config))
      .filter((one) => matchesUser(one, q))
      .map(({ username, full_name, parks }) => ({
        ...{ id: username, title: full_name ? `${full_name} (${username})` : username, park: parks?.join(', ') ?? '' },
      })),
} satisfies Record<Exclude<Found['kind'], keyof typeof finders>, Finder>;

/** What everyone finds, each in the parks they see. */
const finders = {
  audit: async ({ db, q, user }) =>
    Promise.all(
      (await listAuditsInState(db, user, { q, state: 'all', limit: foundLimit })).map(async (audit) => {
        const { id, title, park, created_at } = audit;
        const texts = [audit.description, audit.location, ...(await listSearchedNotes(db, id))];
        return {
          id,
          title,
          park,
          at: created_at,
          state: describeAuditDay(audit),
          excerpt: getExcerpt(title, texts, q),
        };
      }),
    ),
  place: async ({ db, q, user }) =>
    (await listPlaces(db, user))
      .filter(({ name, park, isRetired }) => !isRetired && matchesSearch([name, park], q))
      .map(({ id, name, park }) => ({ id, title: name, park })),
  checklist: async ({ db, q }) =>
    (await listChecklists(db)).filter(({ title }) => matchesSearch([title], q)).map(({ id, title }) => ({ id, title })),
} satisfies Partial<Record<Found['kind'], Finder>>;

export const searchHandlers: Handlers<'searchEverything'> = {
  searchEverything: ({ body: { q }, user, config, search }) =>
    search(q, async (db) => {
      const all = { ...(isAllowed('reviewer', user) && reviewerFinders), ...finders };
      const found: Found[] = [];
      for (const [kind, find] of Object.entries(all) as [Found['kind'], Finder][])
        found.push(
          ...(await find({ db, q, user, config }))
            .slice(0, foundLimit)
            .map((one) => ({ ...nothingElse, kind, ...one })),
        );
      return found;
    }),
};
