import styles from './Crashed.module.css';

/** What is left when a screen breaks. Uses nothing that could break again. */
export function Crashed() {
  return (
    <main className={styles.page} role="alert">
      <h1>Something went wrong</h1>
      <p>The page could not be shown. Forms that you have begun are kept on this device.</p>
      <button type="button" className={styles.button} onClick={() => window.location.reload()}>
        Reload the page
      </button>
    </main>
  );
}
