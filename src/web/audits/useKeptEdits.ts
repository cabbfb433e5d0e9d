import { useEffect, useEffectEvent, useState } from 'react';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import { getEditsFormName, readEdits } from './completion.ts';
import { type AuditEdits, isEmpty, type KeptEdits, noEdits } from './useAuditEdits.ts';

/**
 * The changes of an audit that this device has: what was typed, or else what was submitted. Undefined while they are read.
 */
export function useKeptEdits(
  auditId: string,
  { submission: { item }, isLoaded }: ReturnType<typeof useSubmission>,
): KeptEdits | undefined {
  const input = useTypedInput<AuditEdits>(getEditsFormName(auditId), noEdits(0));
  const [isRead, setRead] = useState(false);
  const isFound = input.isFound && isLoaded;
  const readSubmitted = useEffectEvent(async () => {
    const submitted = item && !input.isTyped ? await readEdits(item).catch(() => undefined) : undefined;
    if (submitted && !isEmpty(submitted)) input.replace((typed) => (isEmpty(typed) ? submitted : typed));
    setRead(true);
  });
  useEffect(() => {
    if (isFound) void readSubmitted();
  }, [isFound]);
  return isRead ? input : undefined;
}
