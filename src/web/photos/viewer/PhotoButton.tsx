import styles from './PhotoButton.module.css';

/** A small photo that opens in the viewer. */
export function PhotoButton({ label, src, onPress }: { label: string; src: string | undefined; onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      onClick={({ currentTarget }) => {
        // Safari does not focus a pressed button, and the focus must return here.
        currentTarget.focus({ preventScroll: true });
        onPress();
      }}
    >
      {src && <img src={src} alt="" loading="lazy" className={styles.picture} />}
    </button>
  );
}
