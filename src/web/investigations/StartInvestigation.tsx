// On a report, an audit and a message: the investigation that covers it, or the button that starts one.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { api } from '#shared/api.ts';
import type { CoveredThing } from '#shared/investigations.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useSave } from '../client/useSave.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';

type Covered = { thing: CoveredThing; id: string };

export function StartInvestigation({ thing, id }: Covered) {
  const [, navigate] = useLocation();
  const found = useQuery(queryFor(api.listInvestigations, { query: { of: id } }));
  const starting = useSave<Covered, { id: string }>(`investigation of ${id}`, {
    send: (body, key) => callApiWithRetry(api.createInvestigation, { body, key }),
    onSaved: (reply, _, isFromBefore) => !isFromBefore && navigate(`/investigations/${reply.id}`),
  });
  if (!found.data) return found.isError && <QueryState query={found} failed="The investigation could not be loaded." />;
  const [investigation] = found.data;
  if (investigation)
    return (
      <Text>
        Investigated: <Link to={`/investigations/${investigation.id}`}>{investigation.number}</Link>
      </Text>
    );
  return (
    <>
      <IconButton icon={Search} loading={starting.isSaving} onClick={() => starting.save({ thing, id })}>
        Start Investigation
      </IconButton>
      <ErrorBox
        message={starting.error ? 'The investigation could not be started.' : ''}
        reason={starting.error?.message}
      />
    </>
  );
}
