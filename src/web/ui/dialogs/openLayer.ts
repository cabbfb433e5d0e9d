// Makes everything below the topmost dialog inert: it takes no focus, click, selection or find, and is not read out.
// Messages that must be read out at any time are outside the page's root (`OutsideRoot`).

type Layer = { element: HTMLElement; isAbove: boolean };

/** Layers that cover the page, in the order in which they were opened. */
const layers: Layer[] = [];

/**
 * Puts a layer above the page and all open layers; one with `isAbove` also stays above later ones. Returns a function
 * that removes it.
 */
export function openLayer(element: HTMLElement, { isAbove = false } = {}): () => void {
  const layer = { element, isAbove };
  layers.push(layer);
  update();
  return () => {
    layers.splice(layers.indexOf(layer), 1);
    update();
  };
}

function update() {
  const top = layers.findLast(({ isAbove }) => isAbove) ?? layers.at(-1);
  const page = document.getElementById('root');
  if (page) page.inert = top !== undefined;
  for (const layer of layers) layer.element.inert = layer !== top;
}
