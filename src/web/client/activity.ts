// What the person does on this page. Only that extends the session, whatever timers request: a
// request carries X-Background unless it is the first since a touch, click or key.

const inputEvents = ['pointerdown', 'click', 'keydown', 'input'];

/** Opening the page is the first. */
let inputCount = 1;
let sentCount = 0;
let lastInputAt = Date.now();

export const getInputCount = () => inputCount;
export const hasNewInput = () => inputCount > sentCount;

/** In milliseconds, by this device's clock. */
export const getLastInputAt = () => lastInputAt;
export function markInput() {
  lastInputAt = Date.now();
}

/** Call when the server has responded to a request that was sent at this count. */
export function markInputSent(count: number) {
  sentCount = Math.max(sentCount, count);
}

export function watchInput() {
  // Not what scripts trigger.
  const countInput = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    inputCount += 1;
    markInput();
  };
  for (const name of inputEvents) window.addEventListener(name, countInput, { capture: true, passive: true });
}
