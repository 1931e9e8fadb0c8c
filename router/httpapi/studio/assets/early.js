// Runs before the page is painted, so that a chosen theme does not flash in after the
// system's. theme.js does the rest.
(() => {
  const chosen = localStorage.getItem('slotway.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
