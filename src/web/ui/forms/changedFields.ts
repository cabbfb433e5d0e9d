/** Fields that were changed since they were shown. */
const changedFields = new Set<Element>();

/** Starts to record the fields that users change. Call it once, before the first screen. */
export function watchChangedFields() {
  document.addEventListener(
    'input',
    ({ target }) => {
      for (const field of changedFields) if (!field.isConnected) changedFields.delete(field);
      if (target instanceof Element) changedFields.add(target);
    },
    { capture: true },
  );
}

/** Whether a field on the screen was changed, even if it is empty now, or a dialog is open. */
export const hasChangesOrDialog = () =>
  [...changedFields].some((field) => field.isConnected) || document.querySelector('[role=dialog]') !== null;
