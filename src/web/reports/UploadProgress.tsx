import styles from './reportForm.module.css';

/** The number of uploaded photos. */
export function UploadProgress({ uploadedCount, total }: { uploadedCount: number; total: number }) {
  const text =
    uploadedCount < total ? `Uploading photo ${uploadedCount + 1} of ${total}` : `${total} of ${total} photos uploaded`;
  return (
    <div className={styles.progress}>
      <progress value={uploadedCount} max={total} aria-label="Photos uploaded" className={styles.bar} />
      <span>{text}</span>
    </div>
  );
}
