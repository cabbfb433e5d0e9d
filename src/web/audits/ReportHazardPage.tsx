import { useEffect, useState } from 'react';
import { useUser } from '../client/session.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { getDraftName, useStoredForm } from '../outbox/useStoredForm.ts';
import { useSubmission } from '../outbox/useSubmission.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { HazardForm } from './HazardForm.tsx';
import { createHazardDraft, type HazardDraft, hazardForm, readSubmission } from './hazardDraft.ts';

export function ReportHazardPage() {
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(startOutbox, []);
  return (
    <>
      <PageHeading
        title="Report a Hazard"
        text="Something dangerous, before someone is hurt. Your name is sent with it."
      />
      <StoredForm key={reloadCount} onReload={() => setReloadCount(reloadCount + 1)} />
    </>
  );
}

/** `onReload` starts again with the stored draft. */
function StoredForm({ onReload }: { onReload: () => void }) {
  const user = useUser();
  const outboxState = useSubmission(hazardForm);
  // A rejected hazard is corrected separately from the next draft.
  const name = getDraftName(hazardForm, outboxState.submission);
  const draft = createDraft<HazardDraft>(user.id, name);
  const stored = useStoredForm<HazardDraft>(outboxState, {
    draftKeys: draft.keys,
    findDraft: draft.find,
    read: readSubmission,
  });
  if (!stored) return <Loading shape="fields" />;
  return (
    <HazardForm
      key={stored.id}
      initialValues={{ ...createHazardDraft(user), ...stored.initialValues }}
      submittedItemId={stored.itemId}
      draftName={name}
      outboxState={outboxState}
      onReload={onReload}
    />
  );
}
