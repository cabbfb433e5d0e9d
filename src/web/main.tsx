import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App, contentId } from './App.tsx';
import { watchInput } from './client/activity.ts';
import { queryClient } from './client/api.ts';
import { checkSession } from './client/session.ts';
import { reloadBrokenImages } from './offline/brokenImages.ts';
import { watchConnection } from './offline/connection.ts';
import { registerServiceWorker } from './offline/updates.ts';
import { preloadScreen } from './routes.ts';
import { ErrorPage } from './shell/ErrorPage.tsx';
import { SessionProvider } from './shell/SessionProvider.tsx';
import { watchChangedFields } from './ui/forms/changedFields.ts';
import { reportErrorUnlessLeaving } from './ui/navigation/leaving.ts';
import { replaceSameUrl, usePath, useQueryString } from './ui/navigation/location.ts';
import { restoreLostFocus } from './ui/navigation/restoreLostFocus.ts';
import { printInLight } from './ui/theme/printInLight.ts';
import { theme } from './ui/theme/theme.ts';
import { keepTranslatedTexts } from './ui/theme/translatedTexts.ts';

const container = document.getElementById('root') as HTMLElement;

/** Shows the logo for at most this long, then loading states. */
const maxFirstDrawDelayMs = 1000;

// Yield, so that slow phones can handle taps between parsing and rendering.
setTimeout(startDrawing);
keepTranslatedTexts();
watchInput();
printInLight();
watchConnection();
reloadBrokenImages();
watchChangedFields();
registerServiceWorker();
restoreLostFocus(contentId);

function startDrawing() {
  const files = preloadScreen(window.location.pathname);
  const screenLoaded = checkSession().then((isSignedIn) => isSignedIn && files);
  const drawDeadline = new Promise((resolve) => setTimeout(resolve, maxFirstDrawDelayMs));
  void Promise.race([screenLoaded, drawDeadline]).then(draw);
}

/** Draws the screen in one step, not piece by piece. */
function draw() {
  const root = createRoot(container, {
    // A screen crashed, or its file was replaced by a newer version: React has unmounted
    // everything.
    onUncaughtError(error) {
      if (reportErrorUnlessLeaving(error)) setTimeout(() => createRoot(container).render(<ErrorPage />));
    },
  });
  const app = (
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <Router hook={usePath} searchHook={useQueryString} aroundNav={replaceSameUrl}>
            <SessionProvider>
              <App />
            </SessionProvider>
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // React draws in slices, so that slow phones can scroll and type in between.
  startTransition(() => root.render(app));
}
