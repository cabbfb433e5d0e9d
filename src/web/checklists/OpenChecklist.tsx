// An open checklist: asks for the place, if it must be asked, and shows the form for it.
import { NativeSelect } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Checklist } from '#shared/checklists.ts';
import type { Place } from '#shared/places/places.ts';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { InOneTab } from '../drafts/InOneTab.tsx';
import { useSubmission } from '../outbox/useSubmission.ts';
import { usePlaces } from '../parks/usePlaces.ts';
import { useDueChecks } from '../schedules/useDueChecks.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { listFormParks } from '../ui/forms/parkChoices.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { ChecklistForm } from './ChecklistForm.tsx';
import { hasDraftOfUnknownPlace, listDraftPlaces } from './checklistDrafts.ts';
import { LastResult } from './LastResult.tsx';
import { findOnlyPlace, listPlaceChoices, type PlaceChoices } from './placeChoices.ts';
import styles from './SectionField.module.css';
import { getChecklistFormName } from './submittedChecklist.ts';

/** From where a checklist was opened. */
export type Opening = {
  /** '' if it is not known. */
  park: string;
  /**
   * Null for the park as a whole; undefined if it must be asked. Without a name or park if a submission of an earlier
   * version is corrected.
   */
  place: CheckedPlace | null | undefined;
};

type OpenChecklistProps = {
  checklist: Checklist;
  opening: Opening;
  /** The id of the rejected submission that is corrected; '' for none. */
  rejectedItemId: string;
  onOpen: (opening: Opening) => void;
  feedback: ReturnType<typeof useFeedback>;
  onSubmitted: () => void;
};

export function OpenChecklist({
  checklist,
  opening,
  rejectedItemId,
  onOpen,
  feedback,
  onSubmitted,
}: OpenChecklistProps) {
  const user = useUser();
  const isSignedOut = user.id === signedOutUserId;
  /** Changes to show a form whose draft has moved to its place. */
  const [formCount, setFormCount] = useState(0);
  const readDrafts = () => ({
    begun: listDraftPlaces(user.id, checklist.id),
    hasOfUnknownPlace: hasDraftOfUnknownPlace(user.id, checklist.id),
  });
  const [{ begun, hasOfUnknownPlace }, setDrafts] = useState(readDrafts);
  const { data: places = [] } = usePlaces();
  const openedPlace = opening.place && withNames(opening.place, places);
  const park = openedPlace?.park || opening.park || user.park;
  const due = useDueChecks(park);
  const choices = isSignedOut
    ? { due: [], others: [], hasPark: true, begun, isKnown: true }
    : listPlaceChoices(checklist.id, { due: due.data, places, park, begun });
  const isKnown = isSignedOut || !due.isPending;
  const place = openedPlace === undefined && isKnown ? choices && findOnlyPlace(choices) : openedPlace;
  const outboxState = useSubmission(getChecklistFormName(checklist.id, place?.id ?? null));

  // The place of a begun form does not change by itself if other checks are due later.
  const isFound = opening.place === undefined && place !== undefined;
  const keepPlace = useEffectEvent(() => onOpen({ park, place }));
  useEffect(() => {
    if (isFound) keepPlace();
  }, [isFound]);

  if (opening.place === undefined && !isKnown) return <Loading shape="rows" />;
  if (place === undefined && !choices)
    return (
      <NativeSelect
        label="Park"
        required
        className={styles.section ?? ''}
        data={[{ value: '', label: 'Choose a park' }, ...listFormParks(user)]}
        value={park}
        onChange={({ currentTarget }) => onOpen({ park: currentTarget.value, place: undefined })}
      />
    );
  const isAsked = choices && choices.due.length + choices.others.length > 0;
  const renderField = (onChange: (place: CheckedPlace | null) => void, isDisabled = false) =>
    (isAsked || place) && (
      <PlaceField
        choices={choices ?? { due: [], others: [], hasPark: false, begun, isKnown: true }}
        place={place}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    );
  const choosePlace = (place: CheckedPlace | null) => onOpen({ park, place });
  if (place === undefined) return renderField(choosePlace);
  const form = getChecklistFormName(checklist.id, place?.id ?? null);
  const resultPark = place?.park || park;
  return (
    <>
      {!isSignedOut && resultPark && <LastResult checklistId={checklist.id} park={resultPark} place={place} />}
      {/* Another place has another draft. */}
      <InOneTab key={form} name={`${form} of ${user.id}`}>
        <ChecklistForm
          // A rejected submission shows its answers, and so do answers that were moved here.
          key={`${formCount} ${rejectedItemId}`}
          checklist={checklist}
          outboxState={outboxState}
          feedback={feedback}
          onSubmitted={onSubmitted}
          suggestedPark={opening.park || undefined}
          place={place}
          hasEarlierAnswers={
            place !== null && (hasOfUnknownPlace || (begun.includes(null) && choices?.hasPark === false))
          }
          renderPlaceField={renderField}
          onPlaceChange={(place) => {
            setFormCount((count) => count + 1);
            setDrafts(readDrafts());
            choosePlace(place);
          }}
        />
      </InOneTab>
    </>
  );
}

const withNames = (place: CheckedPlace, places: Place[]): CheckedPlace => {
  const known = places.find(({ id }) => id === place.id);
  return { id: place.id, name: place.name || (known?.name ?? 'This place'), park: place.park || (known?.park ?? '') };
};

type PlaceFieldProps = {
  choices: PlaceChoices;
  /** Undefined until it is answered; null for the park as a whole. */
  place: CheckedPlace | null | undefined;
  isDisabled?: boolean;
  onChange: (place: CheckedPlace | null) => void;
};

const parkValue = 'park';

/** Shown where a device without a connection has no copy of today's checks. */
const checksNotKnown =
  'Today’s checks are not on this device, so every place of the park is listed. Choose where you are.';

/** The first question of a checklist that is due at places. */
function PlaceField({ choices, place, isDisabled = false, onChange }: PlaceFieldProps) {
  const { due, others, hasPark, begun, isKnown } = choices;
  const toOption = ({ id, name }: CheckedPlace) => (
    <option key={id} value={id} translate="no">
      {begun.includes(id) ? `${name} (in progress)` : name}
    </option>
  );
  const isListed = !place || [...due, ...others].some(({ id }) => id === place.id);
  const all = [...due, ...others, ...(place && !isListed ? [place] : [])];
  return (
    <NativeSelect
      label="Which place?"
      description={!isKnown && checksNotKnown}
      required
      mb="lg"
      className={styles.section ?? ''}
      disabled={isDisabled}
      value={place === undefined ? '' : place === null ? parkValue : place.id}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') onChange(all.find(({ id }) => id === value) ?? null);
      }}
    >
      {place === undefined && <option value="">Choose a place</option>}
      {due.length > 0 && all.length > due.length ? (
        <>
          <optgroup label="Due now">{due.map(toOption)}</optgroup>
          <optgroup label="Other places">{all.slice(due.length).map(toOption)}</optgroup>
        </>
      ) : (
        all.map(toOption)
      )}
      {(hasPark || place === null) && <option value={parkValue}>The park as a whole</option>}
    </NativeSelect>
  );
}
