import { useEffect, useState } from 'react';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { SignedOutDraftOffer } from '../drafts/SignedOutDraftOffer.tsx';
import { claimSignedOutReport, findSignedOutReport } from './signedOutReport.ts';

/** Offers a draft of this form that was started while signed out, if there is one. */
export function SignedOutReportOffer({ form, onClaimed }: { form: string; onClaimed: () => void }) {
  const user = useUser();
  const [draftInfo, setDraftInfo] = useState<{ by: string; at: number }>();
  const [problem, setProblem] = useState('');
  const isSignedOutUser = user.id === signedOutUserId;
  useEffect(() => {
    if (!isSignedOutUser) void findSignedOutReport(form).then(setDraftInfo);
  }, [form, isSignedOutUser]);
  if (isSignedOutUser || !draftInfo) return null;

  async function claimDraft() {
    try {
      if (await claimSignedOutReport(form, user)) return onClaimed();
      setProblem('You have started a report of your own. Submit it first, then continue with this one.');
    } catch {
      setProblem('There is no room on this device to continue with it. Free some space and try again.');
    }
  }
  return <SignedOutDraftOffer what="report" {...draftInfo} problem={problem} onContinue={claimDraft} />;
}
