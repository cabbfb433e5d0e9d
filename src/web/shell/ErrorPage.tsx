import { clearCachedApp } from '../offline/updates.ts';
import { useDocumentTitle } from '../ui/navigation/useDocumentTitle.ts';
import styles from './ErrorPage.module.css';

/** Reloads the page without the app's cached files, which may be broken. */
const reload = () =>
  clearCachedApp()
    .catch(() => undefined)
    .then(() => window.location.reload());

/** Shown when a screen crashes. Uses nothing that could fail too. */
export function ErrorPage() {
  useDocumentTitle('Something went wrong');
  return (
    <main className={styles.page}>
      <div role="alert">
        <h1>Something went wrong</h1>
        <p>The page could not be shown. Forms that you have started are kept on this device.</p>
      </div>
      <button type="button" className={styles.button} onClick={reload}>
        Reload the Page
      </button>
    </main>
  );
}
