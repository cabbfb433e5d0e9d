// Which authority enforces health and safety at each park: advice names it.
import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { type Authority, authorities, authorityNames, type ParkAuthority } from '#shared/law/authority.ts';
import { callApi, queryClient, queryFor } from '../client/api.ts';
import { useSave } from '../client/useSave.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './records.module.css';

const options = authorities.map((value) => ({ value, label: authorityNames[value] }));

export function AuthoritiesPanel() {
  const list = useQuery(queryFor(api.listParkAuthorities));
  const [status, setStatus] = useState<Status>();
  const saving = useSave<ParkAuthority, unknown>('park authority', {
    send: (body) => callApi(api.setParkAuthority, { body }),
    onSaved(_, saved) {
      queryClient.setQueryData(queryFor(api.listParkAuthorities).queryKey, (before) =>
        before?.map((one) => (one.park === saved.park ? saved : one)),
      );
      setStatus({ kind: 'success', text: `${saved.park}: ${authorityNames[saved.authority]}` });
    },
    onFailed: ({ message }) =>
      setStatus({ kind: 'error', text: message || 'This could not be saved. Please try again.' }),
  });
  const beingSaved = saving.isSaving ? saving.variables : undefined;
  return (
    <div className={styles.panel}>
      <Text>
        Choose who enforces health and safety at each park. RIDDOR advice names this authority. For most holiday parks
        it is the council. HSE enforces at residential homes and for building work and gas. Every report is made on
        HSE's form, whichever authority enforces.
      </Text>
      <StatusLine status={status} />
      {list.isPending && <Loading text="Loading the parks..." shape="rows" />}
      {list.isError && <ErrorBox message="The parks could not be loaded." onRetry={() => list.refetch()} />}
      <div className={styles.parks}>
        {list.data?.map((one) => (
          <NativeSelect
            key={one.park}
            label={one.park}
            value={beingSaved?.park === one.park ? beingSaved.authority : one.authority}
            data={options}
            disabled={saving.isSaving}
            onChange={({ currentTarget }) => {
              setStatus(undefined);
              saving.save({ park: one.park, authority: currentTarget.value as Authority });
            }}
          />
        ))}
      </div>
    </div>
  );
}
