// Sets the theme before the first paint: the saved choice, else the system's.
(function () {
  var saved = null;
  try {
    saved = JSON.parse(localStorage.getItem('ofc.theme'));
  } catch (error) {
    saved = null;
  }
  var light = saved ? saved === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
