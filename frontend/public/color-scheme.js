// Sets the colour scheme before the first paint. A file, not inline, so that the page needs no exception in its content security policy.
(function () {
  function readScheme() {
    try {
      return localStorage.getItem('mantine-color-scheme-value');
    } catch {
      return null;
    }
  }
  var chosen = readScheme();
  var isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
