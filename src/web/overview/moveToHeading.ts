/** Moves the view and the focus to a heading of this page, which has a `tabIndex`. */
export function moveToHeading(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
