import styles from './reportForm.module.css';

/** How many photos are uploaded. */
export function SendProgress({ gone, total }: { gone: number; total: number }) {
  const text = gone < total ? `Uploading photo ${gone + 1} of ${total}` : `${total} of ${total} photos uploaded`;
  return (
    <div className={styles.progress}>
      <progress value={gone} max={total} aria-label="Photos uploaded" className={styles.bar} />
      <span>{text}</span>
    </div>
  );
}
