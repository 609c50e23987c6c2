// Shows the button of each block of code, and copies the block's text when it is pressed.
const SHOWN_MS = 2000;

async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Where the page is served neither over HTTPS nor from this machine.
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'copying';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('The browser does not let pages copy.');
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await copyText(button.parentElement.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
}
