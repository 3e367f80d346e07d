// Sets the colour scheme before the first paint. A file, not inline, so that the page needs no exception in its content security policy.
(function () {
  var scheme = 'auto';
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch (error) {
    scheme = 'auto';
  }
  if (scheme === 'auto') scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
