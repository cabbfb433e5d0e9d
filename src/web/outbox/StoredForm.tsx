import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useUser } from '../client/session.ts';
import { createDraftWithMedia } from '../drafts/draftStore.ts';
import { InOneTab } from '../drafts/InOneTab.tsx';
import type { OutboxForm } from '../formNames.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import type { OutboxItem } from './items.ts';
import { startOutbox } from './startOutbox.ts';
import type { OutboxFormProps } from './useOutboxForm.ts';
import { getDraftName, useStoredForm } from './useStoredForm.ts';
import { useSubmission } from './useSubmission.ts';

type StoredFormProps<Draft extends object> = {
  form: OutboxForm;
  /** Returns stored values, with those of an empty form for what they lack. */
  complete: (stored?: Partial<Draft>) => Draft;
  /** Returns the submitted values as the form holds them. */
  read: (item: OutboxItem) => Promise<Draft>;
  children: (props: Required<OutboxFormProps<NoInfer<Draft>>>) => ReactNode;
};

/** Opens a form with what this device stores for it: an item that has not arrived, or the draft. */
export function StoredForm<Draft extends object>(props: StoredFormProps<Draft>) {
  const { id } = useUser();
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(startOutbox, []);
  return (
    <InOneTab name={`${props.form} of ${id}`}>
      <Stored key={reloadCount} {...props} onReload={() => setReloadCount(reloadCount + 1)} />
    </InOneTab>
  );
}

function Stored<Draft extends object>({
  form,
  complete,
  read,
  children,
  onReload,
}: StoredFormProps<Draft> & { onReload: () => void }) {
  const { id } = useUser();
  const outboxState = useSubmission(form);
  // A rejected item is corrected separately from the next draft.
  const draftName = getDraftName(form, outboxState.submission);
  const draft = useMemo(() => createDraftWithMedia<Draft>(id, draftName), [id, draftName]);
  const found = useStoredForm<Draft>(outboxState, { draft, read });
  if (!found) return <Loading shape="fields" />;
  const { initialValues, itemId } = found;
  const props = {
    initialValues: complete(initialValues),
    isRestored: initialValues !== undefined,
    submittedItemId: itemId,
    stored: draft,
    outboxState,
    onReload,
  };
  return <Fragment key={found.id}>{children(props)}</Fragment>;
}
