import { Button, CloseButton } from '@mantine/core';
import { useState } from 'react';
import { updateNow } from '../offline/updates.ts';
import styles from './UpdateOffer.module.css';

/** Offers a newer version, never forces it. If dismissed, it returns at the next start. */
export function UpdateOffer() {
  const [isDismissed, setDismissed] = useState(false);
  const [isUpdating, setUpdating] = useState(false);
  if (isDismissed) return null;
  return (
    <section className={styles.offer} aria-label="New version" data-at-bottom>
      <span className={styles.text}>A new version is ready.</span>
      <Button
        variant="light"
        px="sm"
        loading={isUpdating}
        onClick={() => {
          setUpdating(true);
          // If the browser asks whether to leave, and the user stays, this runs after their choice.
          window.addEventListener('beforeunload', () => setTimeout(() => setUpdating(false)), { once: true });
          updateNow();
        }}
      >
        Update Now
      </Button>
      <CloseButton aria-label="Not Now" onClick={() => setDismissed(true)} />
    </section>
  );
}
