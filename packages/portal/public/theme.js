// Runs before the first paint, so that a dark page never flashes white. A separate file, because inline scripts are
// forbidden.
(() => {
  let wanted = null;
  let density = null;
  try {
    wanted = localStorage.getItem('helio-theme');
    density = localStorage.getItem('helio-density');
  } catch {
    // Storage may be disabled: then the system's choice applies.
  }
  if (density === 'comfortable') document.documentElement.dataset.density = density;
  if (wanted === 'light' || wanted === 'dark') document.documentElement.dataset.theme = wanted;
})();
