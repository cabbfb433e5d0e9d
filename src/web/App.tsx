import { createElement, Suspense, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import styles from './App.module.css';
import { useSession } from './client/session.ts';
import { updateReady } from './offline/updates.ts';
import { adminNav, navigationBar, notFound, routes } from './routes.ts';
import { Guard, Home } from './shell/Guard.tsx';
import { OfflineNotice } from './shell/OfflineNotice.tsx';
import { UpdateOffer } from './shell/UpdateOffer.tsx';
import { OutsideRoot } from './ui/feedback/OutsideRoot.tsx';
import { Loading } from './ui/loading/Loading.tsx';
import { LoadingBar } from './ui/loading/LoadingBar.tsx';
import { isBackNavigation } from './ui/navigation/location.ts';
import { useDocumentTitle } from './ui/navigation/useDocumentTitle.ts';
import { useNotificationTaps } from './ui/navigation/useNotificationTaps.ts';
import { useStore } from './useStore.ts';

/** The id of the content below the navigation bar. */
export const contentId = 'content';
const focusContent = () => document.getElementById(contentId)?.focus({ preventScroll: true });

/** Starts each new page at its top, with the focus there. */
function FocusOnNewPage() {
  const [path] = useLocation();
  const [first] = useState(path);
  const [hasNavigated, setNavigated] = useState(false);
  if (path !== first && !hasNavigated) setNavigated(true);

  // On Back, the browser restores the scroll position itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new path
  useEffect(() => {
    if (!hasNavigated) return;
    focusContent();
    if (!isBackNavigation()) window.scrollTo(0, 0);
  }, [path]);
  return null;
}

function PageTitle({ title }: { title: string }) {
  useDocumentTitle(title);
  return null;
}

export function App() {
  const { user, isChecking } = useSession();
  const [path] = useLocation();
  useNotificationTaps();
  const isUpdate = useStore(updateReady);
  return (
    <>
      <a
        href={`#${contentId}`}
        className={styles.skip}
        onClick={(event) => {
          event.preventDefault();
          focusContent();
        }}
      >
        Skip to the content
      </a>
      {user ? (
        <Suspense fallback={<div className={styles.bar} />}>{createElement(navigationBar, { user })}</Suspense>
      ) : (
        // Reserves its space, so that nothing moves when it appears.
        isChecking && path !== '/login' && <div className={styles.bar} />
      )}
      <LoadingBar />
      <main id={contentId} tabIndex={-1} className={styles.content}>
        <FocusOnNewPage />
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/">
              <Home />
            </Route>
            {routes.map(({ path, access, title, page, hasAdminNav }) => (
              <Route key={path} path={path}>
                <Guard access={access}>
                  <PageTitle title={title} />
                  {hasAdminNav && createElement(adminNav)}
                  {createElement(page)}
                </Guard>
              </Route>
            ))}
            <Route>
              <PageTitle title="404 - Page Not Found" />
              {createElement(notFound)}
            </Route>
          </Switch>
        </Suspense>
      </main>
      <OutsideRoot>
        <div className={styles.footer}>
          <div role="status">{isUpdate && <UpdateOffer />}</div>
          <OfflineNotice />
        </div>
      </OutsideRoot>
    </>
  );
}
