// Which authority enforces health and safety at each park: advice names it.
import { NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { type Authority, authorities, authorityNames, type ParkAuthority } from '#shared/law/authority.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './records.module.css';

const options = authorities.map((value) => ({ value, label: authorityNames[value] }));

export function AuthoritiesPanel() {
  const list = useQuery(queryFor(api.listParkAuthorities));
  const save = useMutation(mutationFor(api.setParkAuthority));
  const [status, setStatus] = useState<Status>();
  const change = ({ park }: ParkAuthority, authority: Authority) => {
    setStatus(undefined);
    save.mutate(
      { body: { park, authority } },
      {
        onSuccess: () => setStatus({ kind: 'success', text: `${park}: ${authorityNames[authority]}` }),
        onError: (error) =>
          setStatus({ kind: 'error', text: error.message || 'This could not be saved. Please try again.' }),
      },
    );
  };
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
            value={
              save.isPending && save.variables.body.park === one.park ? save.variables.body.authority : one.authority
            }
            data={options}
            disabled={save.isPending}
            onChange={({ currentTarget }) => change(one, currentTarget.value as Authority)}
          />
        ))}
      </div>
    </div>
  );
}
