// The draft of a hazard, and the item it becomes in the outbox.
import { getFirstPark } from '#shared/access.ts';
import { getHazardTitle, type HazardKind } from '#shared/places/hazards.ts';
import type { SessionUser } from '#shared/users.ts';
import { outboxForms } from '../../formNames.ts';
import { newUuid } from '../../newUuid.ts';
import type { NewItem, OutboxItem } from '../../outbox/items.ts';
import { readPhotos } from '../../outbox/readPhotos.ts';
import { findPlaceId } from '../../parks/findPlaceId.ts';
import type { PreparedPhoto } from '../../photos/preparePhoto.ts';
import { toFiles } from './auditDraft.ts';

export type HazardDraft = {
  park: string;
  kind?: HazardKind | undefined;
  location: string;
  description: string;
  wasNearlyHurt: boolean;
  photos: PreparedPhoto[];
  /** The id of the item that it becomes in the outbox: the same draft sent twice is one hazard. */
  key?: string | undefined;
};

export const hazardForm = outboxForms.hazard();

export const createHazardDraft = (user: Pick<SessionUser, 'parks'>): HazardDraft => ({
  park: getFirstPark(user),
  location: '',
  description: '',
  wasNearlyHurt: false,
  photos: [],
  key: newUuid(),
});

/** Returns the request body, without its photos. */
export const toNewHazard = ({ park, kind, wasNearlyHurt, location, description }: HazardDraft) => ({
  hazard: { park, ...(kind && { kind }), wasNearlyHurt },
  location,
  description,
});

export const createHazardSubmission = (
  draft: HazardDraft,
  id: string,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
): NewItem => ({
  id,
  userId,
  username,
  kind: 'hazard',
  form: hazardForm,
  address: `/${hazardForm}`,
  title: getHazardTitle(draft.kind, draft.location),
  park: draft.park,
  body: { ...toNewHazard(draft), ...findPlaceId(draft.park, draft.location) },
  files: toFiles(draft.photos),
});

/** Returns the submitted hazard as its form holds it. */
export async function readHazardSubmission(item: OutboxItem): Promise<HazardDraft> {
  const { hazard, location, description } = item.body as ReturnType<typeof toNewHazard>;
  return { ...hazard, location, description, photos: await readPhotos(item) };
}
