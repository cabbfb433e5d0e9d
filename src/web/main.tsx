import 'virtual:theme.css';
import './ui/mantine.css';
import './ui/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App, contentId } from './App.tsx';
import { queryClient } from './api.ts';
import { Crashed } from './Crashed.tsx';
import { keepScreens } from './offline/updates.ts';
import { preloadScreen } from './routes.tsx';
import { asksWhoIsThere, SessionProvider, sessionCheck } from './session.tsx';
import { keepFocus } from './ui/keepFocus.ts';
import { theme } from './ui/theme.ts';

const container = document.getElementById('root') as HTMLElement;

/** Until then the logo stays. What takes longer is waited for on the screen. */
const patienceMs = 1000;

const arrived = Promise.allSettled([
  preloadScreen(window.location.pathname),
  asksWhoIsThere && queryClient.prefetchQuery(sessionCheck),
]);
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
void Promise.race([arrived, patience]).then(draw);

keepScreens();
keepFocus(contentId);

/** Draws the screen at once, and not piece by piece as each arrives. */
function draw() {
  const root = createRoot(container, {
    // A screen broke, or its file is gone because a newer version was installed: React has taken everything down.
    onUncaughtError(error) {
      reportError(error);
      setTimeout(() => createRoot(container).render(<Crashed />));
    },
  });
  const app = (
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <SessionProvider>
              <App />
            </SessionProvider>
          </BrowserRouter>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // In slices: a slow phone can scroll and type in between.
  startTransition(() => root.render(app));
}
