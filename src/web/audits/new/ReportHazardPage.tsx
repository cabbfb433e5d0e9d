import { useUser } from '../../client/session.ts';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { HazardForm } from './HazardForm.tsx';
import { createHazardDraft, hazardForm, readHazardSubmission } from './hazardDraft.ts';
import { StoredDraft } from './StoredDraft.tsx';

export function ReportHazardPage() {
  const user = useUser();
  return (
    <>
      <PageHeading
        title="Report a Hazard or Near Miss"
        text="Something dangerous, before someone is hurt. Your name is sent with it."
      />
      <StoredDraft form={hazardForm} empty={createHazardDraft(user)} read={readHazardSubmission}>
        {(props) => <HazardForm {...props} />}
      </StoredDraft>
    </>
  );
}
