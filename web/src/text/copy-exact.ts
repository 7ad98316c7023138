// Copies amounts exactly: a selection with shortened amounts is copied with all their decimals.

/** Handles every copy on the page. Selections without shortened amounts are left to the browser. */
export const copyExactAmounts = (): void => {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0 || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    const copied = document.createElement('div');
    copied.append(range.cloneContents());
    // A selection inside one amount has no separate element.
    const around = range.commonAncestorContainer.parentElement?.closest<HTMLElement>('[data-exact]');
    const isWhole = around?.textContent === selection.toString();
    const shortened = [...copied.querySelectorAll<HTMLElement>('[data-exact]')];
    if (!isWhole && shortened.length === 0) return;
    for (const element of shortened) element.textContent = element.dataset.exact!;
    if (isWhole) copied.textContent = around!.dataset.exact!;
    // Line breaks only exist in rendered text.
    copied.style.position = 'fixed';
    copied.style.opacity = '0';
    document.body.append(copied);
    event.clipboardData.setData('text/plain', copied.innerText);
    copied.remove();
    event.preventDefault();
  });
};
