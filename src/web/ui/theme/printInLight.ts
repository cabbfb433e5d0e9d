/** Prints in the light colours, also from a dark screen. */
export function printInLight() {
  const { dataset } = document.documentElement;
  let screenScheme: string | undefined;
  const setPrinting = (isPrinting: boolean) => {
    if (isPrinting === (screenScheme !== undefined)) return;
    const { mantineColorScheme = 'light' } = dataset;
    dataset.mantineColorScheme = isPrinting ? 'light' : screenScheme;
    screenScheme = isPrinting ? mantineColorScheme : undefined;
  };
  window.addEventListener('beforeprint', () => setPrinting(true));
  window.addEventListener('afterprint', () => setPrinting(false));
  // A browser may lay out the page for printing without these events.
  matchMedia('print').addEventListener('change', ({ matches }) => setPrinting(matches));
}
