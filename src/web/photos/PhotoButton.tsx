import styles from './photoButton.module.css';

type PhotoButtonProps = { label: string; src: string | undefined; onPress: () => void };

/** A small picture that opens large. */
export function PhotoButton({ label, src, onPress }: PhotoButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      onClick={({ currentTarget }) => {
        // Safari does not focus what is pressed, and the focus is to come back here.
        currentTarget.focus({ preventScroll: true });
        onPress();
      }}
    >
      {src && <img src={src} alt="" loading="lazy" className={styles.picture} />}
    </button>
  );
}
