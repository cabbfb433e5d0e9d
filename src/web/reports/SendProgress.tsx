import styles from './reportForm.module.css';

/** How many photos have gone. */
export function SendProgress({ gone, total }: { gone: number; total: number }) {
  const text = gone < total ? `Uploading photo ${gone + 1} of ${total}` : `${total} of ${total} photos have gone`;
  return (
    <div className={styles.progress}>
      <progress value={gone} max={total} aria-label="Photos uploaded" className={styles.bar} />
      <span>{text}</span>
    </div>
  );
}
