import { Anchor } from '@mantine/core';
import { getPrivacyNoticeUrl } from '../../operator.ts';

/** A link to the operator's privacy notice in a new tab, so that input stays. */
export function PrivacyNotice() {
  const url = getPrivacyNoticeUrl();
  return (
    url && (
      <Anchor href={url} target="_blank" rel="noreferrer">
        Privacy notice
      </Anchor>
    )
  );
}
