// Lets browsers translate the page. A translation replaces text nodes that React made with its own elements, as
// <font><font>text</font></font>. Without this, React would crash when it removes such a node or inserts one before it,
// and would change the text of a node that is no longer on the page (https://github.com/facebook/react/issues/11538).

/** Texts that were replaced, with the element in their place. */
const replacements = new WeakMap<Node, ChildNode>();

/** Call before React draws. */
export function keepTranslatedTexts() {
  new MutationObserver(noteReplacements).observe(document, { childList: true, subtree: true });
  const { removeChild, insertBefore, replaceChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    restore(child);
    return removeChild.call(this, child) as T;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, added: T, next: Node | null): T {
    if (next) restore(next);
    return insertBefore.call(this, added, next) as T;
  };
  Node.prototype.replaceChild = function <T extends Node>(this: Node, added: Node, child: T): T {
    restore(child);
    return replaceChild.call(this, added, child) as T;
  };
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Node, text: string | null) {
      restore(this);
      nodeValue?.set?.call(this, text);
    },
  });
}

/** A translation may replace a node at once, or insert its element beside the node and then remove that. */
function noteReplacements(records: MutationRecord[]) {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
    for (const removed of removedNodes) {
      const replacement = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT');
      if (replacement && removed instanceof Text) replacements.set(removed, replacement as ChildNode);
    }
}

/** Puts a text back in place of its translation. The browser then translates it again. */
function restore(node: Node) {
  const replacement = replacements.get(node);
  if (!replacement || node.parentNode) return;
  replacements.delete(node);
  replacement.replaceWith(node);
}
