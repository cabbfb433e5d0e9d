// A browser that translates the pages of a test.

/**
 * Does what the browser's translation does, without changing the words. With `joinsTexts`, one element replaces
 * texts that stand side by side. Runs in the page.
 */
export function translate() {
  const joinsTexts = 'joinsTexts' in window;
  const wrap = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (texts.nextNode()) nodes.push(texts.currentNode as Text);
    for (const node of nodes) {
      const parent = node.parentElement;
      if (
        (!node.data.trim() && !joinsTexts) ||
        !parent ||
        parent.closest('title, script, style, font, textarea, select, [translate=no]')
      )
        continue;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      let words = node.data;
      node.before(outer);
      for (let next = node.nextSibling; joinsTexts && next instanceof Text; next = node.nextSibling) {
        words += next.data;
        next.remove();
      }
      outer.firstChild?.appendChild(document.createTextNode(words));
      node.remove();
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        const root = node instanceof Text ? node.parentElement : node;
        if (root && root.nodeName !== 'FONT') wrap(root);
      }
  }).observe(document, { childList: true, subtree: true });
}
