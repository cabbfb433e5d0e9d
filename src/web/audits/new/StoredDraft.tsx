import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { useUser } from '../../client/session.ts';
import { createDraft } from '../../drafts/draftStore.ts';
import { InOneTab } from '../../drafts/InOneTab.tsx';
import type { OutboxItem } from '../../outbox/items.ts';
import { startOutbox } from '../../outbox/startOutbox.ts';
import { getDraftName, useStoredForm } from '../../outbox/useStoredForm.ts';
import { useSubmission } from '../../outbox/useSubmission.ts';
import { Loading } from '../../ui/loading/Loading.tsx';

/** Props of the forms for a new audit and a new hazard. */
export type DraftFormProps<Draft> = {
  initialValues: Draft;
  /** The id of the outbox item with these values, if they were submitted. */
  submittedItemId: string | undefined;
  draftName: string;
  outboxState: ReturnType<typeof useSubmission>;
  /** Shows the form again with the stored draft. */
  onReload: () => void;
};

type StoredDraftProps<Draft> = {
  /** The name of the form in the outbox. */
  form: string;
  /** The values of an empty form. */
  empty: Draft;
  /** Returns the submitted values as the form holds them. */
  read: (item: OutboxItem) => Promise<Draft>;
  children: (props: DraftFormProps<Draft>) => ReactNode;
};

/** Opens a form with what this device stores for it: an item that has not arrived, or the draft. */
export function StoredDraft<Draft extends object>(props: StoredDraftProps<Draft>) {
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
  empty,
  read,
  children,
  onReload,
}: StoredDraftProps<Draft> & { onReload: () => void }) {
  const { id } = useUser();
  const outboxState = useSubmission(form);
  // A rejected item is corrected separately from the next draft.
  const draftName = getDraftName(form, outboxState.submission);
  const draft = createDraft<Draft>(id, draftName);
  const stored = useStoredForm<Draft>(outboxState, { draftKeys: [draft.key], findDraft: draft.find, read });
  if (!stored) return <Loading shape="fields" />;
  const initialValues = { ...empty, ...stored.initialValues };
  const props = { initialValues, submittedItemId: stored.itemId, draftName, outboxState, onReload };
  return <Fragment key={stored.id}>{children(props)}</Fragment>;
}
