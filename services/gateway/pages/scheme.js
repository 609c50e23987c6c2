// Lets Swagger UI follow the reader's colour scheme: it has dark colours for this class, and its own switch for it
// only in its other layout. Loaded in the head, so that nothing bright is drawn first.
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

function followScheme() {
  document.documentElement.classList.toggle('dark-mode', DARK.matches);
}

followScheme();
DARK.addEventListener('change', followScheme);
