/** Moves a heading, which has a `tabIndex`, to the top of the screen and gives it the focus. */
export function moveToHeading(heading: HTMLElement | null): void {
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
