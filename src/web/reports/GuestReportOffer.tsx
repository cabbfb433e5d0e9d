import { useEffect, useState } from 'react';
import { guestUserId } from '../client/guestUserId.ts';
import { useUser } from '../client/session.ts';
import { GuestDraftOffer } from '../drafts/GuestDraftOffer.tsx';
import { findGuestReport, takeGuestReport } from './useReportDraft.ts';

/** Shows nothing if no draft of this form was started without a session. */
export function GuestReportOffer({ form, onTaken }: { form: string; onTaken: () => void }) {
  const user = useUser();
  const [found, setFound] = useState<{ by: string; at: number }>();
  const [problem, setProblem] = useState('');
  const isGuest = user.id === guestUserId;
  useEffect(() => {
    if (!isGuest) void findGuestReport(form).then(setFound);
  }, [form, isGuest]);
  if (isGuest || !found) return null;

  async function takeDraft() {
    if (await takeGuestReport(form, user)) return onTaken();
    setProblem('You have started a report of your own. Submit it first, then continue with this one.');
  }
  return <GuestDraftOffer what="report" {...found} problem={problem} onContinue={takeDraft} />;
}
