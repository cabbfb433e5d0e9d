import { canSeePark } from '#shared/access.ts';
import { successReply } from '#shared/replies.ts';
import { diffFields } from '../db/diff-fields.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import {
  findPlace,
  findPlaceNamed,
  insertPlace,
  joinPlaces,
  linkLocation,
  listLocations,
  listPlaces,
  unlinkLocation,
  updatePlace,
} from './store.ts';

type PlaceEndpoints =
  | 'listPlaces'
  | 'addPlaces'
  | 'updatePlace'
  | 'joinPlaces'
  | 'listLocations'
  | 'linkLocation'
  | 'unlinkLocation';

export const placeHandlers: Pick<Handlers, PlaceEndpoints> = {
  listPlaces: ({ db, user }) => listPlaces(db, user),

  addPlaces: ({ body: { park, names }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertSeesPark(canSeePark(user, park));
      let added = 0;
      for (const name of names) {
        const id = await insertPlace(db, park, name);
        if (!id) continue;
        added += 1;
        logActivity({ action: 'added', thing: 'place', thing_id: id, label: name });
      }
      if (added === 0 && names.length === 1) throw createTakenError(park);
      return { ...successReply, added };
    }),

  updatePlace: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const before = (await findPlace(db, user, params.id)) ?? throwPlaceNotFound();
      const { name = before.name, isRetired = before.isRetired } = body;
      const after = { ...before, name, isRetired };
      const named = await findPlaceNamed(db, before.park, name);
      if (named && named.id !== before.id) throw createTakenError(before.park);
      await updatePlace(db, before.id, after, now);
      const changes = diffFields(before, after, ['name', 'isRetired']);
      logActivity({ action: 'changed', thing: 'place', thing_id: before.id, label: name, changes });
      return successReply;
    }),

  joinPlaces: ({ params, body, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const place = (await findPlace(db, user, params.id)) ?? throwPlaceNotFound();
      const into = (await findPlace(db, user, body.into)) ?? throwPlaceNotFound();
      if (into.park !== place.park || into.id === place.id)
        throw new HttpError(400, `Choose another place of ${place.park}`, { code: 'INVALID' });
      await joinPlaces(db, place.id, into.id);
      const changes = { joinedInto: into.name };
      logActivity({ action: 'joined', thing: 'place', thing_id: place.id, label: place.name, changes });
      return successReply;
    }),

  listLocations({ db, query: { park }, user }) {
    assertSeesPark(canSeePark(user, park));
    return listLocations(db, park);
  },

  linkLocation: ({ body: { park, key, name }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertSeesPark(canSeePark(user, park));
      const newId = await insertPlace(db, park, name);
      const place = await findPlaceNamed(db, park, name);
      const placeId = newId ?? place?.id ?? '';
      const linked = await linkLocation(db, { park, key, placeId, by: user, now });
      const label = place?.name ?? name;
      if (newId) logActivity({ action: 'added', thing: 'place', thing_id: placeId, label });
      logActivity({ action: 'linked', thing: 'place', thing_id: placeId, label, changes: { records: linked } });
      return { ...successReply, linked };
    }),

  unlinkLocation: ({ body: { placeId, at }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const place = (await findPlace(db, user, placeId)) ?? throwPlaceNotFound();
      const records = await unlinkLocation(db, place.id, at);
      logActivity({ action: 'unlinked', thing: 'place', thing_id: place.id, label: place.name, changes: { records } });
      return successReply;
    }),
};

function throwPlaceNotFound(): never {
  throw new HttpError(404, 'Place not found');
}

function assertSeesPark(seesPark: boolean): void {
  if (!seesPark)
    throw new HttpError(403, 'You can only use your own parks', {
      fields: { park: 'You can only use your own parks' },
    });
}

function createTakenError(park: string) {
  const message = `${park} already has a place with this name`;
  return new HttpError(409, message, { code: 'TAKEN', fields: { name: message } });
}
