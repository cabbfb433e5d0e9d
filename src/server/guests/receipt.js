// Copies and shares the address of the receipt, in browsers that can. Without it the address is there as a link.
const keep = document.querySelector('.keep');
const { address: url, title } = keep.dataset;
const status = keep.querySelector('[role]');
const actions = {
  copy: navigator.clipboard && (() => navigator.clipboard.writeText(url)),
  share: navigator.share && (() => navigator.share({ title, url })),
};
for (const button of keep.querySelectorAll('button')) {
  const run = actions[button.dataset.do];
  button.hidden = !run;
  button.addEventListener('click', async () => {
    try {
      status.textContent = '';
      await run();
      status.textContent = button.dataset.done ?? '';
    } catch {
      // The address stays on the page.
    }
  });
}
