// Settings of the parks that an Admin sees: a form for each.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, Table } from 'lucide-react';
import { useState } from 'react';
import { isAdminOfAllParks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { authorityNames } from '#shared/law/authority.ts';
import { isOpenPark } from '#shared/park-list.ts';
import type { ParkSettings, ParkSettingsChange } from '#shared/park-settings.ts';
import { callApi, mutationFor, queryClient, queryFor } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { formNames } from '../formNames.ts';
import { Fields, line } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { getGuestUrl } from '../operator.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { StatusLine, toStatus } from '../ui/feedback/StatusLine.tsx';
import { bindFields } from '../ui/forms/bindFields.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import rows from '../ui/theme/rows.module.css';
import styles from './ParksPage.module.css';
import { ParksTableDialog } from './ParksTableDialog.tsx';

const telephone = (label: string, description: string) =>
  line(label, textLimits.telephone, { description, type: 'tel' });

export function ParksPage() {
  const settings = useQuery(queryFor(api.listParkSettings));
  const [{ table }] = useFilters('table');
  const [isTableOpen, setTableOpen] = useState(table !== '');
  const [isTableSaved, setTableSaved] = useState(false);
  const openParks = settings.data?.filter(({ park }) => isOpenPark(park)) ?? [];
  return (
    <>
      <PageHeading
        title="Parks"
        text="Who gets the audits that failing answers and hazards create, and other settings of each park."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      >
        {openParks.length > 1 && (
          <Button
            variant="default"
            leftSection={<Table aria-hidden size={18} />}
            onClick={() => {
              setTableSaved(false);
              setTableOpen(true);
            }}
          >
            Fill In All Parks
          </Button>
        )}
      </PageHeading>
      <StatusLine
        status={isTableSaved ? { kind: 'success', text: 'The settings of the parks were saved.' } : undefined}
      />
      {isTableOpen && openParks.length > 1 && (
        <ParksTableDialog
          settings={openParks}
          onClose={() => setTableOpen(false)}
          onSaved={() => {
            setTableOpen(false);
            setTableSaved(true);
          }}
        />
      )}
      {getGuestUrl() && settings.data && <MessagesSwitch settings={settings.data} />}
      <RecordList
        query={settings}
        failed="The parks could not be loaded."
        row={(one) => (
          <li key={one.park}>
            <ParkLine saved={one} isOnly={settings.data?.length === 1} />
          </li>
        )}
      />
    </>
  );
}

/** Switches the form to which labels lead on or off, at all parks that the Admin sees. */
function MessagesSwitch({ settings }: { settings: ParkSettings[] }) {
  const change = useMutation(mutationFor(api.switchMessages));
  const isOn = settings.some(({ takesMessages }) => takesMessages);
  const where = settings.length === 1 ? 'This Park' : 'These Parks';
  return (
    <Stack gap="sm" align="flex-start" my="sm">
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ body: { isOn: !isOn } })}>
        {`${isOn ? 'Stop' : 'Accept'} Messages from Guests at ${where}`}
      </Button>
      <ErrorBox message={describeError(change.error)} />
    </Stack>
  );
}

function ParkLine({ saved, isOnly }: { saved: ParkSettings; isOnly: boolean }) {
  const showName = useNames();
  return (
    <details className={rows.fold} open={isOnly}>
      <summary>
        <Title order={2} size="h5">
          {saved.park}
        </Title>
        <Text span c="dimmed">
          {saved.assignee ? showName(saved.assignee) : 'No one chosen'}
        </Text>
        <ChevronDown aria-hidden />
      </summary>
      <ParkForm saved={saved} />
    </details>
  );
}

type Changes = Omit<ParkSettingsChange, 'park'>;

function ParkForm({ saved }: { saved: ParkSettings }) {
  const { park } = saved;
  const user = useUser();
  const [isSaved, setSaved] = useState(false);
  const form = useForm<Changes>(formNames.parkSettings(park), {
    start: {},
    send: (changes) => callApi(api.saveParkSettings, { body: { park, ...changes } }),
    // Changes made while these were sent are kept.
    toKept: () => ({}),
    onSaved(_, changes) {
      queryClient.setQueryData(queryFor(api.listParkSettings).queryKey, (before) =>
        before?.map((one) => (one.park === park ? { ...one, ...changes } : one)),
      );
      setSaved(true);
    },
  });
  const { failure } = form;
  const { field, checkbox } = bindFields<ParkSettings>({ ...saved, ...form.values }, form.errors, form.set);
  return (
    <FormElement form={form} className={styles.form} aria-label={park}>
      <PeoplePicker
        label="Who does the audits that failing answers create"
        description="Also the audits of lessons. Without anyone, these audits start unassigned. A question of a checklist can name someone else."
        usersOnly
        park={park}
        {...field('assignee')}
      />
      <PeoplePicker
        label="Who does the audits that hazards create"
        description="Without anyone, these audits start unassigned."
        usersOnly
        park={park}
        {...field('hazardAssignee')}
      />
      <Fields
        form={{ field, checkbox }}
        fields={{
          telephone: telephone(
            'Telephone number for urgent hazards',
            'Shown to users who report a hazard with gas, electricity, fire or water.',
          ),
          ...(getGuestUrl() && {
            takesMessages: {
              kind: 'tick',
              label: 'Guests can send messages',
              description: 'Otherwise guests who scan a label here see telephone numbers only.',
            },
            guestTelephone: telephone(
              'Telephone number for guests in an emergency',
              'Shown to everyone who scans a label, after 999.',
            ),
            gasTelephone: telephone(
              'Telephone number for a smell of gas',
              'Of the supplier, or of the network: 0800 111 999 for mains gas. Shown to guests.',
            ),
          }),
          authority: isAdminOfAllParks(user) && {
            kind: 'choice',
            label: 'Who enforces health and safety',
            description:
              "RIDDOR advice names this authority. At nearly all holiday parks it is the council. HSE enforces at residential homes and for building work and gas. Every report is made on HSE's form.",
            labels: authorityNames,
          },
        }}
      />
      <div className={rows.actions}>
        <Button type="submit" loading={form.isSaving}>
          Save
        </Button>
      </div>
      <StatusLine
        status={toStatus(
          failure && (failure.message || 'The settings could not be saved. Please try again.'),
          isSaved && !form.isTyped && 'Saved',
        )}
      />
    </FormElement>
  );
}
