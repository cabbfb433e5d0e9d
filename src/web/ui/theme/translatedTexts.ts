// Lets browsers translate the page. A translation replaces text nodes that React made with its own elements, as
// <font><font>text</font></font>. Without this, React would crash when it removes such a node or inserts one before it,
// and would change the text of a node that is no longer on the page (https://github.com/facebook/react/issues/11538).

/** Texts that were replaced, with the element in their place. Several texts side by side may have one. */
const replacements = new WeakMap<Node, ChildNode>();
/** The texts that each element replaced, in order. */
const replacedTexts = new WeakMap<Node, Text[]>();
/** What React removed: no translation replaced it. */
const removed = new WeakSet<Node>();

/** Call before React draws. */
export function keepTranslatedTexts() {
  new MutationObserver(noteReplacements).observe(document, { childList: true, subtree: true });
  const { appendChild, removeChild, insertBefore, replaceChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    restore(child);
    removed.add(child);
    return isGone(child) ? child : (removeChild.call(this, child) as T);
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, added: T, next: Node | null): T {
    restore(added);
    removed.delete(added);
    if (next) restore(next);
    return insertBefore.call(this, added, isGone(next) ? null : next) as T;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, added: T): T {
    restore(added);
    removed.delete(added);
    return appendChild.call(this, added) as T;
  };
  Node.prototype.replaceChild = function <T extends Node>(this: Node, added: Node, child: T): T {
    restore(child);
    removed.add(child);
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

/** Whether a text is no longer on the page, and nothing in its place. */
const isGone = (node: Node | null) => node instanceof Text && node.parentNode === null;

const isTranslation = (node: Node | null | undefined) => node?.nodeName === 'FONT';

/**
 * A translation may replace a text at once, or insert its element beside it and then remove the text, with those beside
 * it. From the last removal to the first, each text is found beside the element or beside a text that it replaced.
 */
function noteReplacements(records: MutationRecord[]) {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records.toReversed())
    for (const text of removedNodes) {
      if (!(text instanceof Text) || !isGone(text) || removed.has(text)) continue;
      const before = [...addedNodes, previousSibling].find(isTranslationOrReplaced);
      const beside = before ?? [nextSibling].find(isTranslationOrReplaced);
      const replacement = isTranslation(beside) ? (beside as ChildNode) : beside && replacements.get(beside);
      if (!beside || !replacement) continue;
      const texts = (replacedTexts.get(replacement) ?? []).filter((other) => other !== text);
      const index = texts.indexOf(beside as Text);
      // After the element or text that stands before it, or before that which stands after it.
      texts.splice(before ? index + 1 : index === -1 ? texts.length : index, 0, text);
      replacedTexts.set(replacement, texts);
      replacements.set(text, replacement);
    }
}

const isTranslationOrReplaced = (node: Node | null) =>
  isTranslation(node) || (isGone(node) && node !== null && replacements.has(node));

/** Puts a text back in place of its translation, with those beside it. The browser then translates it again. */
function restore(node: Node) {
  const replacement = replacements.get(node);
  if (!replacement || node.parentNode) return;
  const texts = (replacedTexts.get(replacement) ?? []).filter(
    (text) => isGone(text) && replacements.get(text) === replacement,
  );
  for (const text of texts) replacements.delete(text);
  replacement.replaceWith(...texts);
}
