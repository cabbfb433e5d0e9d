// The places of a park, and the typed locations that are not places yet, for the park's reviewers.
import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Archive, MapPin } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatInstant } from '#shared/dates.ts';
import { listParks } from '#shared/park-list.ts';
import { labelReaders, labelSizes, type Place } from '#shared/places/places.ts';
import { pluralise } from '#shared/pluralise.ts';
import { AddressWarning } from '../client/AddressWarning.tsx';
import { callApi, mutationFor, queryFor } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { useConfirmed } from '../client/useConfirmed.tsx';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { getGuestUrl } from '../operator.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { Fold } from '../ui/navigation/Fold.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import { useUrlState } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import { AddPlaces } from './AddPlaces.tsx';
import styles from './ParksPage.module.css';

export function PlacesPage() {
  const user = useUser();
  const { get, set } = useUrlState();
  const ownParks = listParks().filter((park) => user.parks?.includes(park) ?? true);
  const park = ownParks.find((one) => one === get('park')) ?? ownParks[0];
  return (
    <>
      <PageHeading
        title="Places"
        text="Location fields suggest the places of a park, such as its pitches, pools and play areas."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      />
      {ownParks.length > 1 && (
        <NativeSelect
          label="Park"
          maw="20rem"
          mb="md"
          value={park}
          data={ownParks}
          onChange={({ currentTarget }) => set({ park: currentTarget.value }, { replace: true })}
        />
      )}
      {park && <PlacesOfPark key={park} park={park} />}
    </>
  );
}

function PlacesOfPark({ park }: { park: string }) {
  const query = useQuery(queryFor(api.listPlaces));
  const places = query.data?.filter((place) => place.park === park) ?? [];
  return (
    <PageSections>
      <AddPlaces park={park} />
      <TypedLocations park={park} places={places} />
      <PageSection title={`Places of ${park}`}>
        <RecordList
          query={{ ...query, data: query.data && places }}
          failed="The places could not be loaded."
          empty={{
            icon: MapPin,
            text: 'This park has no places yet.',
            hint: 'Add Place above adds one, Import CSV all of them. Then print their labels here.',
          }}
          row={(place) => (
            <li>
              <Fold
                title={
                  <>
                    <Text span fw={600}>
                      <Name>{place.name}</Name>
                    </Text>
                    {place.isRetired && <Tag label="Retired" icon={Archive} />}
                  </>
                }
              >
                <PlaceForm place={place} others={places.filter((other) => other !== place && !other.isRetired)} />
              </Fold>
            </li>
          )}
        />
        {places.length > 0 && <Labels park={park} places={places} />}
        {places.length > 0 && <ExportButtons list="places" name="Places" filters={{ park }} />}
      </PageSection>
    </PageSections>
  );
}

/** The typed locations that are not places yet. Each can become a place, or be joined to one. */
function TypedLocations({ park, places }: { park: string; places: Place[] }) {
  const showName = useNames();
  const query = useQuery(queryFor(api.listLocations, { query: { park } }));
  const link = useMutation(mutationFor(api.linkLocation));
  const undo = useMutation(mutationFor(api.unlinkLocation));
  const isChanging = link.isPending || undo.isPending;
  /** The status is about the last action only. */
  const forgetOutcomes = () => {
    link.reset();
    undo.reset();
  };
  const { linked, name = '' } = { ...link.data, ...link.variables?.body };
  const done: Status | undefined = link.isSuccess
    ? { kind: 'success', text: `${pluralise(linked ?? 0, 'record')} linked to ${name}.` }
    : undefined;
  const failed = link.error ?? undo.error;
  const links = query.data?.linked ?? [];
  const names = places.filter(({ isRetired }) => !isRetired).map(({ name }) => name);
  return (
    <PageSection title="Typed Locations Without a Place">
      <Text c="dimmed">From reports and audits. What was typed stays in them.</Text>
      <StatusLine status={failed ? { kind: 'error', text: describeError(failed) } : done} />
      <RecordList
        query={{ ...query, data: query.data?.typed }}
        step={20}
        failed="The locations could not be loaded."
        empty="Every location has a place."
        row={({ key, spellings: [spelling = '', ...others], count }) => {
          const linkTo = (name: string) => {
            forgetOutcomes();
            link.mutate({ body: { park, key, name } });
          };
          return (
            <RecordRow
              key={key}
              title={spelling}
              details={[
                pluralise(count, 'record'),
                others.length > 0 && `also typed as ${others.slice(0, 5).join('; ')}`,
              ]}
            >
              <Group gap="sm">
                <Button
                  variant="default"
                  disabled={isChanging}
                  aria-label={`Make a Place: ${spelling}`}
                  onClick={() => linkTo(spelling)}
                >
                  Make a Place
                </Button>
                {names.length > 0 && (
                  <NativeSelect
                    aria-label={`Link ${spelling} to a place`}
                    disabled={isChanging}
                    value=""
                    data={[{ value: '', label: 'Link to...' }, ...names]}
                    onChange={({ currentTarget }) => linkTo(currentTarget.value)}
                  />
                )}
              </Group>
            </RecordRow>
          );
        }}
      />
      {links.length > 0 && (
        <Fold title="Linked Later">
          <ul className={rows.list}>
            {links.map(({ placeId, by, at, count }) => (
              <li key={`${placeId} ${at}`} className={rows.row}>
                <Text className={rows.text}>
                  {pluralise(count, 'record')} linked to {places.find(({ id }) => id === placeId)?.name} by{' '}
                  <Name>{showName(by)}</Name>, {formatInstant(at)}
                </Text>
                <Button
                  variant="default"
                  loading={undo.isPending && undo.variables.body.at === at}
                  disabled={isChanging}
                  onClick={() => {
                    forgetOutcomes();
                    undo.mutate({ body: { placeId, at } });
                  }}
                >
                  Undo
                </Button>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </PageSection>
  );
}

type LabelReader = (typeof labelReaders)[number];
const readerTexts: Record<LabelReader, { label: string; reason: string }> = {
  guests: { label: 'Guests', reason: 'Guests scan the label of a place to tell you about something dangerous there.' },
  staff: { label: 'Staff', reason: 'Staff scan the label of a place to fill in its checks and report hazards.' },
};

/** Creates the labels that guests scan, and prints these or those for staff, which every place has. */
function Labels({ park, places }: { park: string; places: Place[] }) {
  const [size, setSize] = useState<(typeof labelSizes)[number]>('8');
  const [chosenReader, setReader] = useState<LabelReader>('guests');
  const reader = getGuestUrl() ? chosenReader : 'staff';
  const add = useMutation(mutationFor(api.addLabels));
  const inUse = places.filter(({ isRetired }) => !isRetired);
  const missing = reader === 'staff' ? 0 : inUse.filter(({ label }) => !label).length;
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={3} size="h5">
        Labels
      </Title>
      {getGuestUrl() && (
        <NativeSelect
          label="For"
          value={reader}
          data={labelReaders.toReversed().map((value) => ({ value, label: readerTexts[value].label }))}
          onChange={({ currentTarget }) => setReader(currentTarget.value as LabelReader)}
        />
      )}
      <Text c="dimmed">{readerTexts[reader].reason}</Text>
      {missing > 0 && (
        <Button variant="default" loading={add.isPending} onClick={() => add.mutate({ body: { park } })}>
          {`Create Labels for ${pluralise(missing, 'place')}`}
        </Button>
      )}
      <ErrorBox message={describeError(add.error)} />
      {missing < inUse.length && (
        <>
          <NativeSelect
            label="Labels on a page"
            value={size}
            data={[...labelSizes]}
            onChange={({ currentTarget }) => setSize(currentTarget.value as typeof size)}
          />
          {reader === 'staff' && <AddressWarning what="These labels" />}
          <PdfButton href={endpointUrl(api.getLabels, { query: { park, size, for: reader } })}>Print Labels</PdfButton>
        </>
      )}
    </Stack>
  );
}

function LabelButtons({ place: { id, park, name, label } }: { place: Place }) {
  const create = useMutation(mutationFor(api.changeLabel));
  /** After either change, the printed label no longer works. */
  const { ask, dialog } = useConfirmed<'Replace' | 'Switch Off'>({
    title: (what) => (what === 'Replace' ? 'Replace this label?' : 'Switch off this label?'),
    text: `Labels that are already printed will no longer lead to ${name}.`,
    confirm: (what) => what,
    send: (what) => callApi(api.changeLabel, { params: { id }, body: { isOn: what === 'Replace' } }),
    failed: 'The label could not be changed.',
  });
  return (
    <>
      {label && <Text>The code of its label is {label}.</Text>}
      <Group gap="sm">
        {label ? (
          <>
            <PdfButton href={endpointUrl(api.getLabels, { query: { park, size: '2', place: id, for: 'guests' } })}>
              Print Label
            </PdfButton>
            {(['Replace', 'Switch Off'] as const).map((what) => (
              <Button key={what} variant="default" onClick={() => ask(what)}>
                {what} Label
              </Button>
            ))}
          </>
        ) : (
          <Button
            variant="default"
            loading={create.isPending}
            onClick={() => create.mutate({ params: { id }, body: { isOn: true } })}
          >
            Create Label
          </Button>
        )}
      </Group>
      <ErrorBox message={describeError(create.error)} />
      {dialog}
    </>
  );
}

function PlaceForm({ place, others }: { place: Place; others: Place[] }) {
  const { id, park, name, isRetired } = place;
  const params = { id };
  const form = useForm<{ name: string }>(formNames.place(id), {
    start: { name },
    send: (body) => callApi(api.updatePlace, { params, body }),
  });
  const retire = useMutation(mutationFor(api.updatePlace));
  const { asked, ask, dialog } = useConfirmed<Place>({
    title: 'Join these places?',
    text: (into) =>
      `The records of ${name} will belong to ${into.name}. This cannot be undone.${place.label ? ' Its printed labels will no longer lead to a form.' : ''}`,
    confirm: 'Join',
    send: (into) => callApi(api.joinPlaces, { params, body: { into: into.id } }),
    failed: 'The places could not be joined.',
  });
  const failure = form.failure ?? retire.error;
  return (
    <FormElement form={form} aria-label={name} className={styles.form}>
      <TextInput {...form.field('name')} label="Name" maxLength={textLimits.line} autoComplete="off" />
      <div className={rows.actions}>
        <Button component={Link} to={`/places/${id}`} variant="default">
          Open Page
        </Button>
        <Button type="submit" loading={form.isSaving}>
          Save
        </Button>
        <Button
          variant="default"
          loading={retire.isPending}
          onClick={() => retire.mutate({ params, body: { isRetired: !isRetired } })}
        >
          {isRetired ? 'Bring Back' : 'Retire'}
        </Button>
      </div>
      {!isRetired && (
        <Group>
          <PdfButton href={endpointUrl(api.getLabels, { query: { park, size: '2', place: id, for: 'staff' } })}>
            Print Staff Label
          </PdfButton>
        </Group>
      )}
      {getGuestUrl() && !isRetired && <LabelButtons place={place} />}
      {others.length > 0 && (
        <NativeSelect
          label="Join into another place"
          description="The other place gets the records of this place, and this place is deleted."
          value={asked?.id ?? ''}
          data={[{ value: '', label: 'Please choose' }, ...others.map((one) => ({ value: one.id, label: one.name }))]}
          onChange={({ currentTarget }) => {
            const into = others.find((one) => one.id === currentTarget.value);
            if (into) ask(into);
          }}
        />
      )}
      <ErrorBox message={describeError(failure)} />
      {dialog}
    </FormElement>
  );
}
