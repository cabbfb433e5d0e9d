// The user's input on this page. Only input extends the session, not the requests of timers: a request
// carries X-Background unless it is the first since a touch, click or key.

const inputEvents = ['pointerdown', 'click', 'keydown', 'input'];

/** Opening the page counts as the first input. */
let inputCount = 1;
let sentCount = 0;
let lastInputAt = Date.now();

export const getInputCount = () => inputCount;
export const hasNewInput = () => inputCount > sentCount;

/** Returns the time of the last input in milliseconds, by this device's clock. */
export const getLastInputAt = () => lastInputAt;
/** Counts as input only for how long the user has been idle. */
export function markInput() {
  lastInputAt = Date.now();
}

/** Call when the server has responded to a request that was sent at this count. */
export function markInputSent(count: number) {
  sentCount = Math.max(sentCount, count);
}

export function watchInput() {
  // Events that scripts trigger do not count.
  const countInput = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    inputCount += 1;
    markInput();
  };
  for (const name of inputEvents) window.addEventListener(name, countInput, { capture: true, passive: true });
}
