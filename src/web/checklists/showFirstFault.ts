/** Brings the first faulty section into view, and the focus into it, once React has marked it. */
export function showFirstFault(form: HTMLElement | null) {
  requestAnimationFrame(() => {
    const section = form?.querySelector('[data-fault]');
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    section?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
    section?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
  });
}
