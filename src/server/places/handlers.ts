import type { ParkViewer } from '#shared/access.ts';
import { labelTexts } from '#shared/places/guest-texts.ts';
import type { Place } from '#shared/places/places.ts';
import { listAuditsInState } from '../audits/store.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { createPdfFileName } from '../pdf/file-name.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { listNextChecks } from '../schedules/store.ts';
import { assertCanUsePark } from '../user-parks.ts';
import { createLabel, createLabelPages } from './labels.ts';
import { findPlaceNamed, insertPlace } from './links/place-links.ts';
import {
  findPlace,
  joinPlaces,
  linkLocation,
  listLocations,
  listPlaces,
  setLabel,
  unlinkLocation,
  updatePlace,
} from './store.ts';

export const placeHandlers = {
  listPlaces: ({ db, user }) => listPlaces(db, user),

  async getPlace({ db, params, user, now }) {
    const place = await requirePlace(db, user, params.id);
    const ready = await listReadiness(db, user, { parks: [place.park] }, now, place.id);
    const checks = await listNextChecks(db, place, now);
    return { ...place, ready, checks, audits: await listAuditsInState(db, user, { place: place.id }) };
  },

  addPlaces: ({ body: { park, names }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertCanUsePark(user, park);
      let added = 0;
      for (const name of names) {
        const id = await insertPlace(db, park, name);
        if (!id) continue;
        added += 1;
        logActivity({ action: 'added', ...toLogFields({ id, name }) });
      }
      if (added === 0 && names.length === 1) throw createTakenError(park);
      return { success: true, added } as const;
    }),

  updatePlace: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const before = await requirePlace(db, user, params.id);
      const { name = before.name, isRetired = before.isRetired } = body;
      const after = { ...before, name, isRetired };
      const named = await findPlaceNamed(db, before.park, name);
      if (named && named.id !== before.id) throw createTakenError(before.park);
      await updatePlace(db, before, after, { by: user.username, now });
      const changes = diffFields(before, after);
      logActivity({ action: 'changed', ...toLogFields(after), changes });
    }),

  joinPlaces: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const place = await requirePlace(db, user, params.id);
      const into = await requirePlace(db, user, body.into);
      if (into.park !== place.park || into.id === place.id)
        throw new HttpError(400, `Choose another place of ${place.park}`, { code: 'INVALID' });
      await joinPlaces(db, place, into, now);
      logActivity({ action: 'joined', ...toLogFields(place), changes: { joinedInto: into.name } });
    }),

  changeLabel: ({ config, params, body: { isOn }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertHasLabels(config);
      const place = await requirePlace(db, user, params.id);
      await setLabel(db, place.id, isOn ? createLabel() : null);
      logActivity({ action: isOn ? 'labelled' : 'switched off the label of', ...toLogFields(place) });
    }),

  addLabels: ({ config, body: { park }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertHasLabels(config);
      assertCanUsePark(user, park);
      const places = (await listPlaces(db, user, park)).filter(({ isRetired, label }) => !isRetired && !label);
      for (const place of places) {
        await setLabel(db, place.id, createLabel());
        logActivity({ action: 'labelled', ...toLogFields(place) });
      }
      return { success: true, added: places.length } as const;
    }),

  async getLabels({ db, config, origin, query: { park, size, place, for: reader }, user, now, pdf }) {
    const isForStaff = (reader ?? (config.guestUrl ? 'guests' : 'staff')) === 'staff';
    if (!isForStaff) assertHasLabels(config);
    assertCanUsePark(user, park);
    const places = (await listPlaces(db, user, park)).flatMap(({ id, isRetired, label, ...one }) => {
      const code = isForStaff ? id : label;
      return code && !isRetired && (place === undefined || id === place) ? { ...one, code } : [];
    });
    if (places.length === 0) throw new HttpError(404, 'There is no label to print');
    const document = createLabelPages(places, {
      ...(isForStaff
        ? { folder: `${origin}/places/`, texts: { question: { en: 'Staff: scan to check' } } }
        : { folder: `${config.guestUrl}/h/`, texts: labelTexts }),
      ...{ size, park, madeAt: now },
    });
    return { pdf: (await pdf.render(document, {}, user.id)).pdf, fileName: createPdfFileName('Labels', park) };
  },

  listLocations({ db, query: { park }, user }) {
    assertCanUsePark(user, park);
    return listLocations(db, park);
  },

  linkLocation: ({ body: { park, key, name }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      assertCanUsePark(user, park);
      const newId = await insertPlace(db, park, name);
      const place = required(await findPlaceNamed(db, park, name), 'Place not found');
      const linked = await linkLocation(db, { park, key, placeId: place.id, by: user, now });
      if (newId) logActivity({ action: 'added', ...toLogFields(place) });
      logActivity({ action: 'linked', ...toLogFields(place), changes: { records: linked } });
      return { success: true, linked } as const;
    }),

  unlinkLocation: ({ body: { placeId, at }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const place = await requirePlace(db, user, placeId);
      const records = await unlinkLocation(db, place.id, at);
      logActivity({ action: 'unlinked', ...toLogFields(place), changes: { records } });
    }),
} satisfies Partial<Handlers>;

const toLogFields = ({ id, name }: Pick<Place, 'id' | 'name'>) =>
  ({ thing: 'place', thing_id: id, label: name }) as const;

const requirePlace = async (db: Database, user: ParkViewer, id: string): Promise<Place> =>
  required(await findPlace(db, user, id), 'Place not found');

function assertHasLabels({ guestUrl }: { guestUrl: string }): void {
  if (!guestUrl) throw new HttpError(404, 'Places have no labels here');
}

function createTakenError(park: string) {
  const message = `${park} already has a place with this name`;
  return new HttpError(409, message, { code: 'TAKEN', fields: { name: message } });
}
