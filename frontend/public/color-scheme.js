// Sets the colour scheme before the first paint. The build puts it inline in the web app's page; the documentation loads the file.
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
