// Copies data for offline use in advance, whether or not its screens were opened.
import { api } from '#shared/api.ts';
import type { Audit, OpenAudit } from '#shared/audits.ts';
import type { PersonName, SessionUser } from '#shared/users.ts';
import { callApi, queryClient, queryFor } from '../client/api.ts';
import { namesQuery } from '../client/names.ts';
import { replaceUserCopies, withOfflineCopy } from '../drafts/offlineCopies.ts';
import { seesPark } from '../people/findPerson.ts';
import { dueChecksQuery, listCopiedParks } from '../schedules/useDueChecks.ts';
import { myAuditsQuery } from './myAudits.ts';

const maxAudits = 200;

/**
 * Copies all checklists, and of the user's parks the folders, open audits with the names in them,
 * telephone numbers, places and today's checks, and as many previews of the audits' photos as there is room for.
 */
export async function copyForOffline({ id, username, parks }: SessionUser): Promise<void> {
  const copiedParks = parks === null ? [] : listCopiedParks({ parks });
  const [folders, audits, names, numbers, places, dueChecks, checklists] = await Promise.all([
    callApi(api.listFolders),
    callApi(api.listOpenAudits, { query: { limit: maxAudits } }),
    queryClient.fetchQuery(namesQuery),
    callApi(api.listParkNumbers),
    callApi(api.listPlaces),
    Promise.all(copiedParks.map((park) => callApi(api.listDueChecks, { query: { park } }))),
    queryClient.fetchQuery(withOfflineCopy('everyone', queryFor(api.listChecklists))),
  ]);
  // Only the names in the copied audits, because a device must not store a list of all users; but those of the
  // user's parks if checklists ask for a person, or create audits.
  const usernamesInAudits = new Set([username, ...audits.map(({ assignee }) => assignee)]);
  const asksForPerson = checklists.some(({ sections }) =>
    sections.some(({ type, onFail }) => type === 'person' || onFail?.audit),
  );
  const isCopied = (person: PersonName) =>
    usernamesInAudits.has(person.username) || (asksForPerson && parks?.some((park) => seesPark(person, park)));
  const copies = [
    { queryKey: namesQuery.queryKey, value: names.filter(isCopied) },
    { queryKey: queryFor(api.listFolders).queryKey, value: folders },
    {
      queryKey: myAuditsQuery.queryKey,
      value: audits.filter((audit) => audit.assignee_id === id && !audit.completed),
    },
    { queryKey: queryFor(api.listParkNumbers).queryKey, value: numbers },
    { queryKey: queryFor(api.listPlaces).queryKey, value: places },
    ...copiedParks.map((park, index) => ({ queryKey: dueChecksQuery(park).queryKey, value: dueChecks[index] })),
    ...folders.flatMap((folder) => [
      { queryKey: queryFor(api.getFolder, { params: { id: folder.id } }).queryKey, value: folder },
      {
        queryKey: queryFor(api.listAudits, { params: { folderId: folder.id } }).queryKey,
        value: audits.filter(({ folder_id }) => folder_id === folder.id),
      },
    ]),
    ...audits.map((audit) => ({
      queryKey: queryFor(api.getAudit, { params: { id: audit.id } }).queryKey,
      value: toDetail(audit),
    })),
  ];
  // In the order of the audits: soonest due first.
  const photos = audits.flatMap(({ media_files }) => media_files.map(({ path }) => path));
  await replaceUserCopies(copies, [...new Set(photos)]);
}

function toDetail(audit: OpenAudit): Audit {
  const { id, folder_id, folder_name, park, title, created_at, version, parse_error, ...data } = audit;
  const head = { id, folder_id, folder_name, park, title, created_at, version };
  return { ...head, ...(parse_error && { parse_error }), date: data.date, time: data.time, data };
}
