// One search for records, places, checklists, people and screens, by keyboard throughout.
import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { type Found, foundKinds, searchMinimum, searchTooShort } from '#shared/search/search.ts';
import type { SessionUser } from '#shared/users.ts';
import { callApi } from '../client/api.ts';
import { connection } from '../offline/connection.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { usePausedText } from '../ui/forms/useSyncedText.ts';
import { useStore } from '../useStore.ts';
import styles from './SearchDialog.module.css';
import { findScreens, targets } from './searchTargets.ts';

type Option = { path: string; title: string; detail?: string; excerpt?: string };

export function SearchDialog({ user, onClose }: { user: SessionUser; onClose: () => void }) {
  const [q, setQ] = useState('');
  const [text, setText] = usePausedText(q, setQ);
  const [, navigate] = useLocation();
  const isOnline = useStore(connection) === 'online';
  const isLongEnough = q.trim().length >= searchMinimum;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [api.searchEverything.path, q],
    queryFn: ({ signal }) => callApi(api.searchEverything, { body: { q }, signal }),
    enabled: isOnline && isLongEnough,
    // What was found is not kept.
    gcTime: 0,
  });
  const combobox = useCombobox({ opened: true });
  // Records that arrive stand above a screen that an arrow key chose: Enter still opens that screen.
  const keepChosen = useEffectEvent(() => combobox.updateSelectedOptionIndex('selected'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for new records
  useEffect(() => keepChosen(), [data]);

  const screens = isLongEnough ? findScreens(q, user) : [];
  const groups = [
    ...foundKinds.map((kind) => ({
      heading: targets[kind].heading,
      options: (data ?? []).filter((found) => found.kind === kind).map(toOption),
    })),
    { heading: 'Screens', options: screens.map(({ path, title }): Option => ({ path, title })) },
  ].filter(({ options }) => options.length > 0);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const isDone = isLongEnough && !isFetching && (data !== undefined || !isOnline);

  return (
    <Dialog opened title="Search" size="lg" onClose={onClose}>
      <Combobox
        store={combobox}
        onOptionSubmit={(path) => {
          onClose();
          navigate(path);
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            type="search"
            label="A number, a name or a word"
            value={text}
            maxLength={textLimits.line}
            autoComplete="off"
            data-autofocus
            leftSection={<Search aria-hidden size={18} />}
            onChange={(event) => {
              setText(event.currentTarget.value);
              combobox.resetSelectedOption();
            }}
          />
        </Combobox.EventsTarget>
        <Text role="status" size="sm" c="dimmed" mt="xs" mih="1.5em">
          {!isLongEnough && `${searchTooShort}.`}
          {isLongEnough && isFetching && 'Searching…'}
          {isDone && (count === 0 ? 'Nothing found.' : pluralise(count, 'result'))}
          {isLongEnough && !isOnline && ' Records are found only with a connection.'}
        </Text>
        <ErrorBox message={error?.message ?? ''} isNotStored onRetry={() => refetch()} />
        {groups.length > 0 && (
          <Combobox.Options className={styles.options} aria-label="Results">
            {groups.map(({ heading, options }) => (
              <Combobox.Group key={heading} label={heading}>
                {options.map(({ path, title, detail, excerpt }) => (
                  <Combobox.Option key={path} value={path} className={styles.option}>
                    <span translate="no">{title}</span>
                    {excerpt && (
                      <small className={styles.detail} translate="no">
                        {excerpt}
                      </small>
                    )}
                    {detail && <small className={styles.detail}>{detail}</small>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
          </Combobox.Options>
        )}
      </Combobox>
      <Text size="sm" c="dimmed" mt="md" className={styles.keys}>
        Ctrl+K opens this search from any screen.
      </Text>
    </Dialog>
  );
}

const toOption = ({ kind, id, title, park, at, state, excerpt }: Found): Option => ({
  path: targets[kind].getPath(id, title),
  title,
  detail: [park, at && (at.includes('T') ? formatInstantDay(at) : formatDay(at)), state].filter(Boolean).join(', '),
  excerpt,
});
