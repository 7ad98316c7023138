// Copies amounts exactly: a copied selection contains all decimals of its shortened amounts.

/** Handles every copy on the page. The browser copies selections without shortened amounts itself. */
export const copyExactAmounts = (): void => {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0 || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    const copied = document.createElement('div');
    copied.append(range.cloneContents());
    // The fragment of a selection inside a single amount does not include the amount's element.
    const around = range.commonAncestorContainer.parentElement?.closest<HTMLElement>('[data-exact]');
    const isWhole = around?.textContent === selection.toString();
    const shortened = [...copied.querySelectorAll<HTMLElement>('[data-exact]')];
    if (!isWhole && shortened.length === 0) return;
    for (const element of shortened) element.textContent = element.dataset.exact!;
    if (isWhole) copied.textContent = around!.dataset.exact!;
    // The copy must be in the document, because only rendered text has line breaks.
    copied.style.position = 'fixed';
    copied.style.opacity = '0';
    document.body.append(copied);
    event.clipboardData.setData('text/plain', copied.innerText);
    copied.remove();
    event.preventDefault();
  });
};
