import styles from './ReportForm.module.css';

/** Shows how many photos were uploaded. */
export function UploadProgress({ sent, total }: { sent: number; total: number }) {
  const text = sent < total ? `Uploading photo ${sent + 1} of ${total}` : `${total} of ${total} photos uploaded`;
  return (
    <div className={styles.progress}>
      <progress value={sent} max={total} aria-label="Photos uploaded" className={styles.bar} />
      <span>{text}</span>
    </div>
  );
}
